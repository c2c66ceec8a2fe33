"""Typed client for the demand forecasting service."""

from .client import ForecastingClient
from .frames import to_dataframe
from .problem import ApiProblem

__all__ = ["ApiProblem", "ForecastingClient", "to_dataframe"]
