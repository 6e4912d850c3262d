"""Figures of a report: Vega-Lite charts, drawn as SVG and PNG, shared by the pages."""
