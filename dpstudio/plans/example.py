"""The plan with which the page opens: six questions on the census, whose words its form lists."""

from dpstudio.plans.drafts import Drafts

_ROWS = 32561
_SCHOOLING = (
    "Preschool 1st-4th 5th-6th 7th-8th 9th 10th 11th 12th HS-grad Some-college Assoc-voc "
    "Assoc-acdm Bachelors Masters Prof-school Doctorate"
)
_PLACES = (
    "United-States Cambodia Canada China Columbia Cuba Dominican-Republic Ecuador El-Salvador "
    "England France Germany Greece Guatemala Haiti Holand-Netherlands Honduras Hong Hungary India "
    "Iran Ireland Italy Jamaica Japan Laos Mexico Nicaragua Outlying-US(Guam-USVI-etc) Peru "
    "Philippines Poland Portugal Puerto-Rico Scotland South Taiwan Thailand Trinadad&Tobago "
    "Vietnam Yugoslavia elsewhere"
)


_MEAN = {"kind": "mean", "size": _ROWS, "size_known": True}
DRAFTED = Drafts("").check(
    [
        {"kind": "count", "name": "Over 50", "where": "age > 50", "target": "25"},
        {
            "kind": "by_group",
            "name": "Schooling",
            "column": "education",
            "groups": _SCHOOLING.split(),
            "target": "28",
        },
        _MEAN
        | {"name": "Hours", "column": "hours-per-week", "low": 1, "high": 99, "target": "0.1"},
        _MEAN | {"name": "Gain", "column": "capital-gain", "low": 0, "high": 20000, "target": "20"},
        {
            "kind": "two_way",
            "name": "Income by sex",
            "column": "income",
            "groups": ["<=50K", ">50K"],
            "other": "sex",
            "other_groups": ["Female", "Male"],
            "target": "40",
        },
        {
            "kind": "by_group",
            "name": "Country",
            "column": "native-country",
            "groups": _PLACES.split(),
            "target": "60",
        },
    ]
)
