from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A value of the API. Fields that this version does not know are kept, under their names in the API."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=(), hide_input_in_errors=True)
