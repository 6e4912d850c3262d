import json

from hypothesis import given
from hypothesis import strategies as st

from tasks.page.pack import packed, safe_json, unpacked
from tests.page.site import EVIL

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(VALUES)
def test_both_forms_decode_to_the_same(value):
    assert json.loads(safe_json(value)) == value
    assert unpacked(packed(value)) == value
    assert packed(value) == packed(value)


def test_nothing_can_end_the_element():
    text = safe_json({EVIL: [EVIL]})
    assert not set("<>&\u2028\u2029") & set(text)
    assert not set("<>&") & set(packed([EVIL]))
