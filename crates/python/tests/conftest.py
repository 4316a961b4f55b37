"""Fixtures of the tests: the repository's vectors, and names for the examples in docstrings."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "vectors"


@pytest.fixture(scope="session")
def vectors() -> Path:
    return VECTORS


@pytest.fixture(scope="session")
def circuits() -> Path:
    return ROOT / "circuits"


@pytest.fixture(autouse=True, scope="session")
def names_of_examples(doctest_namespace: dict[str, object], tmp_path_factory: pytest.TempPathFactory) -> None:
    """The names that the examples in docstrings use without a definition."""
    doctest_namespace["VECTORS"] = VECTORS
    doctest_namespace["PLACE"] = tmp_path_factory.mktemp("examples")
    doctest_namespace["CIRCUITS"] = ROOT / "circuits"
