startTheme();
