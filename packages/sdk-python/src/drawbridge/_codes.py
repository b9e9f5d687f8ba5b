# Generated from docs/errors.md.
from __future__ import annotations

from ._errors import ApiError


class ValidationError(ApiError):
    """`VALIDATION_ERROR`: the request is not valid: `details.fields` has a message for each wrong field."""


class NoUpdatesError(ApiError):
    """`NO_UPDATES`: the request has no field to update."""


class NoOAuthAppError(ApiError):
    """`NO_OAUTH_APP`: the integration has no OAuth app: neither the operator nor the organization configured one."""


class MissingTokenError(ApiError):
    """`MISSING_TOKEN`: the request has no token."""


class MissingIdError(ApiError):
    """`MISSING_ID`: the request has no id."""


class MissingFieldsError(ApiError):
    """`MISSING_FIELDS`: the request lacks a required field."""


class ActionFailedError(ApiError):
    """`ACTION_FAILED`: the action failed: `details.provider` has the cause. If `details.reason` is `outcome_unknown`, it may have succeeded."""


class ConnectionRequiredError(ApiError):
    """`CONNECTION_REQUIRED`: no connection can be used: `details.reason` has the cause."""


class ExpiredError(ApiError):
    """`EXPIRED`: the invitation has expired."""


class InvalidMcpScopesError(ApiError):
    """`INVALID_MCP_SCOPES`: the mode of the MCP server does not support the scope."""


class InvalidCodeExecuteRequestError(ApiError):
    """`INVALID_CODE_EXECUTE_REQUEST`: the request has both of `code` and `approvalId` or neither, `waitForApprovalSeconds` is not an integer from 0 to 60, or the mode of the MCP server is not CODE."""


class EmailNotConfiguredError(ApiError):
    """`EMAIL_NOT_CONFIGURED`: the operator has not configured mail."""


class NotDropdownError(ApiError):
    """`NOT_DROPDOWN`: the property is not a select."""


class NoOptionsFnError(ApiError):
    """`NO_OPTIONS_FN`: the select accepts any text and has no options."""


class OptionsFailedError(ApiError):
    """`OPTIONS_FAILED`: the provider did not return the options: see `details.provider` and `details.retryable`."""


class NotDynamicError(ApiError):
    """`NOT_DYNAMIC`: the property is not dynamic."""


class NoPropsFnError(ApiError):
    """`NO_PROPS_FN`: the dynamic property accepts any object and has no properties."""


class ResolveFailedError(ApiError):
    """`RESOLVE_FAILED`: the provider did not return the properties: see `details.provider` and `details.retryable`."""


class ConnectionNotFoundError(ApiError):
    """`CONNECTION_NOT_FOUND`: the connection does not exist."""


class IntegrationNotFoundError(ApiError):
    """`INTEGRATION_NOT_FOUND`: the integration does not exist."""


class UnauthenticatedError(ApiError):
    """`UNAUTHENTICATED`: the key is missing, unknown, revoked or expired."""


class InvalidTokenError(ApiError):
    """`INVALID_TOKEN`: the token is unknown or expired."""


class ForbiddenError(ApiError):
    """`FORBIDDEN`: the caller may not do this: the key lacks a permission, an approval policy blocks the call (`details.policyId`, `details.reasons`), the approval of the call has ended (`details.approvalId`, `details.reason`), the resource is suspended (`details.reason`: `suspended`), or an invitation is for another address."""


class ScopeDeniedError(ApiError):
    """`SCOPE_DENIED`: the key is limited to other workspaces."""


class QuotaExceededError(ApiError):
    """`QUOTA_EXCEEDED`: a limit is reached, of actions a month or of resources: see `details.limit` and `details.used`."""


class CustomOAuthAppPlanRequiredError(ApiError):
    """`CUSTOM_OAUTH_APP_PLAN_REQUIRED`: the plan does not include custom OAuth apps."""


class PollingIntervalTooShortError(ApiError):
    """`POLLING_INTERVAL_TOO_SHORT`: pollingIntervalMinutes is below the plan's minimum: see `details.minimumMinutes`."""


class NotFoundError(ApiError):
    """`NOT_FOUND`: the resource or its parent does not exist."""


class OAuthAppNotFoundError(ApiError):
    """`OAUTH_APP_NOT_FOUND`: the OAuth app does not exist for this integration and workspace."""


class TriggerNotFoundError(ApiError):
    """`TRIGGER_NOT_FOUND`: the integration has no such trigger."""


class EndUserNotFoundError(ApiError):
    """`END_USER_NOT_FOUND`: the workspace has no such end user."""


class MethodNotAllowedError(ApiError):
    """`METHOD_NOT_ALLOWED`: the path does not support the method: `Allow` lists the supported methods."""


class DuplicateError(ApiError):
    """`DUPLICATE`: the value is already in use, a run with this idempotency key is in progress (`details.reason`: `in_progress`), the approval is already decided (`details.approval`), or the webhook is already delivered (`details.status`)."""


class AliasConflictError(ApiError):
    """`ALIAS_CONFLICT`: the alias is already used for another integration."""


class McpBearerDisabledError(ApiError):
    """`MCP_BEARER_DISABLED`: the MCP server accepts no bearer tokens."""


class McpOAuthDisabledError(ApiError):
    """`MCP_OAUTH_DISABLED`: the MCP server accepts no OAuth tokens."""


class McpStaticBearerIncompatibleError(ApiError):
    """`MCP_STATIC_BEARER_INCOMPATIBLE`: integrations of the workspace need a connection per user, and a static bearer token has no user."""


class McpBearerBlocksPerUserError(ApiError):
    """`MCP_BEARER_BLOCKS_PER_USER`: the integration needs a connection per user, but an MCP server of the workspace has a static bearer token without a user."""


class TenantOAuthAppRequiredError(ApiError):
    """`TENANT_OAUTH_APP_REQUIRED`: the integration needs an OAuth app of the organization."""


class RateLimitedError(ApiError):
    """`RATE_LIMITED`: too many requests: retry after the seconds in `Retry-After`."""


class InternalServerError(ApiError):
    """`INTERNAL`: an internal error; report `details.requestId`. With `details.reason`: `outcome_unknown` the change may have been made: read the resource before you repeat the request."""


class UnavailableError(ApiError):
    """`UNAVAILABLE`: a dependency is unavailable; nothing was changed: retry the request."""


class ServerTimeoutError(ApiError):
    """`TIMEOUT`: the request took too long."""


CLASSES: dict[str, type[ApiError]] = {
    "VALIDATION_ERROR": ValidationError,
    "NO_UPDATES": NoUpdatesError,
    "NO_OAUTH_APP": NoOAuthAppError,
    "MISSING_TOKEN": MissingTokenError,
    "MISSING_ID": MissingIdError,
    "MISSING_FIELDS": MissingFieldsError,
    "ACTION_FAILED": ActionFailedError,
    "CONNECTION_REQUIRED": ConnectionRequiredError,
    "EXPIRED": ExpiredError,
    "INVALID_MCP_SCOPES": InvalidMcpScopesError,
    "INVALID_CODE_EXECUTE_REQUEST": InvalidCodeExecuteRequestError,
    "EMAIL_NOT_CONFIGURED": EmailNotConfiguredError,
    "NOT_DROPDOWN": NotDropdownError,
    "NO_OPTIONS_FN": NoOptionsFnError,
    "OPTIONS_FAILED": OptionsFailedError,
    "NOT_DYNAMIC": NotDynamicError,
    "NO_PROPS_FN": NoPropsFnError,
    "RESOLVE_FAILED": ResolveFailedError,
    "CONNECTION_NOT_FOUND": ConnectionNotFoundError,
    "INTEGRATION_NOT_FOUND": IntegrationNotFoundError,
    "UNAUTHENTICATED": UnauthenticatedError,
    "INVALID_TOKEN": InvalidTokenError,
    "FORBIDDEN": ForbiddenError,
    "SCOPE_DENIED": ScopeDeniedError,
    "QUOTA_EXCEEDED": QuotaExceededError,
    "CUSTOM_OAUTH_APP_PLAN_REQUIRED": CustomOAuthAppPlanRequiredError,
    "POLLING_INTERVAL_TOO_SHORT": PollingIntervalTooShortError,
    "NOT_FOUND": NotFoundError,
    "OAUTH_APP_NOT_FOUND": OAuthAppNotFoundError,
    "TRIGGER_NOT_FOUND": TriggerNotFoundError,
    "END_USER_NOT_FOUND": EndUserNotFoundError,
    "METHOD_NOT_ALLOWED": MethodNotAllowedError,
    "DUPLICATE": DuplicateError,
    "ALIAS_CONFLICT": AliasConflictError,
    "MCP_BEARER_DISABLED": McpBearerDisabledError,
    "MCP_OAUTH_DISABLED": McpOAuthDisabledError,
    "MCP_STATIC_BEARER_INCOMPATIBLE": McpStaticBearerIncompatibleError,
    "MCP_BEARER_BLOCKS_PER_USER": McpBearerBlocksPerUserError,
    "TENANT_OAUTH_APP_REQUIRED": TenantOAuthAppRequiredError,
    "RATE_LIMITED": RateLimitedError,
    "INTERNAL": InternalServerError,
    "UNAVAILABLE": UnavailableError,
    "TIMEOUT": ServerTimeoutError,
}
"""The class of each code."""
