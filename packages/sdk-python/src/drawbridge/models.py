# Generated from the OpenAPI document.

from __future__ import annotations

from pydantic import AwareDatetime, Field, RootModel
from drawbridge._model import Model
from typing import Any, Literal


class Workspace(Model):
    id: str
    """
    The id.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    name: str
    """
    The name.
    """
    slug: str
    """
    The slug, unique within the organization.
    """
    suspended_at: AwareDatetime | None = Field(..., alias="suspendedAt")
    """
    When it was suspended, or null.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """
    suspension_reason: str | None = Field(..., alias="suspensionReason")
    """
    The reason of the suspension: request (a caller suspended it) or plan (the limit of the plan is reached).
    """


class WorkspaceList(Model):
    workspaces: list[Workspace]
    """
    The workspaces of the page.
    """
    total: int
    """
    The number of items on all pages.
    """


class CreateWorkspaceRequest(Model):
    name: str
    """
    The name.
    """
    slug: str
    """
    The short name in URLs, unique in the organization.
    """


class Uuid(RootModel[str]):
    root: str


class WorkspaceChanges(Model):
    name: str | None = None
    """
    The name.
    """
    slug: str | None = None
    """
    The short name in URLs, unique in the organization.
    """


class Deleted(Model):
    deleted: bool
    """
    Always true.
    """
    id: str
    """
    The id.
    """


class WorkspaceMember(Model):
    id: str
    """
    The id.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    member_id: str = Field(..., alias="memberId")
    """
    The id of the organization member.
    """
    role: Literal["admin", "member"] | str
    """
    The role: admin or member.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """


class InvitedRole(RootModel[Literal["admin", "member"] | str]):
    root: Literal["admin", "member"] | str


class CreateWorkspaceMemberBody(Model):
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    member_id: str = Field(..., alias="memberId")
    """
    The id of the organization member.
    """
    role: InvitedRole | None = None
    """
    The role: admin or member. Defaults to member.
    """


class WorkspaceIntegration(Model):
    """
    An integration that is configured in a workspace.
    """

    id: str
    """
    The id.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration in the catalog.
    """
    alias: str
    """
    The alias, unique in the workspace.
    """
    display_name: str | None = Field(..., alias="displayName")
    """
    The name that people read.
    """
    connection_strategy: Literal["fixed", "per_user", "per_user_with_fallback"] | str = Field(..., alias="connectionStrategy")
    """
    The connection strategy: fixed, per_user or per_user_with_fallback.
    """
    connection_id: str | None = Field(..., alias="connectionId")
    """
    The id of the connection.
    """
    enabled_actions: list[str] | None = Field(..., alias="enabledActions")
    """
    The enabled actions. Null enables all.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """
    connection_status: Literal["ACTIVE", "ERROR"] | str | None = Field(..., alias="connectionStatus")
    """
    The status of the connection. Null without a connection.
    """
    connection_display_name: str | None = Field(..., alias="connectionDisplayName")
    """
    The display name of that connection.
    """
    connection_external_id: str | None = Field(..., alias="connectionExternalId")
    """
    The external id of that connection.
    """
    sort_order: float = Field(..., alias="sortOrder")
    """
    Lists are sorted by this number, then by age.
    """
    settings: dict[str, Any]
    """
    Settings of the workspace owner. They are not action input, and callers cannot override them.
    """


class WorkspaceIntegrationList(Model):
    integrations: list[WorkspaceIntegration]
    """
    The integrations of the page.
    """
    total: int
    """
    The number of items on all pages.
    """


class ConnectionStrategy(RootModel[Literal["fixed", "per_user", "per_user_with_fallback"] | str]):
    root: Literal["fixed", "per_user", "per_user_with_fallback"] | str


class CreateWorkspaceIntegrationBody(Model):
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    alias: str | None = None
    """
    Defaults to the name of the integration.
    """
    connection_strategy: ConnectionStrategy | None = Field(None, alias="connectionStrategy")
    """
    The connection strategy. Defaults to fixed.
    """
    connection_id: str | None = Field(None, alias="connectionId")
    """
    Required for fixed and per_user_with_fallback, unless the integration needs no connection.
    """
    display_name: str | None = Field(None, alias="displayName")
    """
    The name that people read.
    """
    enabled_actions: list[str] | None = Field(None, alias="enabledActions")
    """
    Omit it to enable all actions.
    """
    settings: dict[str, Any] | None = None
    """
    At most 16 kB as JSON.
    """
    sort_order: float | None = Field(None, alias="sortOrder")
    """
    The position in lists: any finite number.
    """


class UpdateWorkspaceIntegrationBody(Model):
    alias: str | None = None
    """
    The alias of the configured integration, unique in its workspace.
    """
    connection_strategy: ConnectionStrategy | None = Field(None, alias="connectionStrategy")
    """
    The connection of a call: `fixed`, `per_user` or `per_user_with_fallback`.
    """
    connection_id: str | None = Field(None, alias="connectionId")
    """
    Null removes the connection, if the strategy needs no connection.
    """
    display_name: str | None = Field(None, alias="displayName")
    """
    Null removes it.
    """
    enabled_actions: list[str] | None = Field(None, alias="enabledActions")
    """
    Null enables all actions.
    """
    settings: dict[str, Any] | None = None
    """
    Null restores the defaults. At most 16 kB as JSON.
    """
    sort_order: float | None = Field(None, alias="sortOrder")
    """
    The position in lists: any finite number.
    """


class NewWebhookSecret(Model):
    secret: str
    """
    The secret: `whsec_` and the Base64 encoding of 32 random bytes. No other response contains it.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    previous_valid_until: AwareDatetime | None = Field(..., alias="previousValidUntil")
    """
    When the earlier secrets stop signing. Null without earlier secrets.
    """


class TriggerSource(Model):
    id: str
    """
    The id.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    trigger_type: Literal["WEBHOOK", "POLLING", "APP_WEBHOOK"] | str = Field(..., alias="triggerType")
    """
    The type: WEBHOOK, POLLING or APP_WEBHOOK.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    trigger_name: str = Field(..., alias="triggerName")
    """
    The name of the trigger.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    workspace_integration_id: str | None = Field(..., alias="workspaceIntegrationId")
    """
    The configured integration. Null if the trigger has none.
    """
    integration_alias: str | None = Field(..., alias="integrationAlias")
    """
    The alias of the configured integration.
    """
    webhook_url: str | None = Field(..., alias="webhookUrl")
    """
    The URL that the provider calls. Null if the provider is polled or the trigger is not registered at the provider.
    """
    callback_url: str | None = Field(..., alias="callbackUrl")
    """
    The URL of the callback. Null if the events are only stored.
    """
    simulate: bool
    """
    Whether the source sends one sample event and registers nothing at the provider.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    last_delivery: AwareDatetime | None = Field(..., alias="lastDelivery")
    """
    When an event was last delivered to callbackUrl.
    """
    last_polled_at: AwareDatetime | None = Field(..., alias="lastPolledAt")
    """
    When the provider was last polled, successfully or not. Null if the trigger is not polled. A time much older than the polling interval
    means that polls are late or that the provider fails.
    """


class TriggerList(Model):
    triggers: list[TriggerSource]
    """
    The trigger sources of the page.
    """
    total: int
    """
    The number of items on all pages.
    """


class EnabledTrigger(Model):
    trigger_source: TriggerSource = Field(..., alias="triggerSource")
    """
    The trigger source.
    """
    signing_secret: str = Field(..., alias="signingSecret")
    """
    The signing secret of the callbacks: `whsec_` and the Base64 encoding of 32 random bytes. No other response contains it.
    """


class EnableTriggerBody(Model):
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    connection_external_id: str | None = Field(None, alias="connectionExternalId")
    """
    Selects the connection directly. By default the configured integration selects it.
    """
    trigger_name: str = Field(..., alias="triggerName")
    """
    The name of the trigger.
    """
    callback_headers: dict[str, Any] | None = Field(None, alias="callbackHeaders")
    """
    Headers of each callback: at most 20 strings with 8 kB in total. Headers that HTTP or Drawbridge sets are not allowed.
    """
    callback_metadata: dict[str, Any] | None = Field(None, alias="callbackMetadata")
    """
    Metadata, sent with each callback. At most 16 kB and 50 keys.
    """
    workspace_integration_id: str | None = Field(None, alias="workspaceIntegrationId")
    """
    The id of the configured integration. Takes precedence over the alias.
    """
    integration_alias: str | None = Field(None, alias="integrationAlias")
    """
    The alias of the configured integration, used if workspaceIntegrationId is absent.
    """
    end_user_id: str | None = Field(None, alias="endUserId")
    """
    The externalId of the end user, for per-user connections.
    """
    input: dict[str, Any] | None = None
    """
    The input of the trigger. Defaults to {}. Partials are merged beneath it as for an action.
    """
    partial_ids: list[str] | None = Field(None, alias="partialIds")
    """
    At most 10 partials of this configured integration and trigger. Later partials override earlier partials. Defaults to the default partials,
    oldest first. An empty list applies no partials.
    """
    polling_interval_minutes: float | None = Field(None, alias="pollingIntervalMinutes")
    """
    The polling interval, only for polling triggers. Defaults to the minimum of the plan, but at least 5.
    """
    simulate: bool | None = None
    """
    True to deliver one sample event without registering the trigger.
    """
    callback_url: str | None = Field(..., alias="callbackUrl")
    """
    Receives the events: public HTTPS, or http to an address that the operator lists in EGRESS_ALLOW. With null, events are only stored, for 30 days:
    read them with GET /api/v1/triggers/{id}/deliveries, for example during development on a computer that Drawbridge cannot reach.
    """


class DisabledTrigger(Model):
    disabled: bool
    """
    Always true.
    """
    trigger_source_id: str = Field(..., alias="triggerSourceId")
    """
    The id of the trigger source.
    """


class DisableTriggerRequest(Model):
    trigger_source_id: str = Field(..., alias="triggerSourceId")
    """
    The id of the trigger source.
    """


class TriggerSample(Model):
    sample_data: dict[str, Any] = Field(..., alias="sampleData")
    """
    A sample event.
    """


class TestTriggerRequest(Model):
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    trigger_name: str = Field(..., alias="triggerName")
    """
    The name of the trigger.
    """


class TriggerDelivery(Model):
    id: str
    """
    The id of the delivery, the same in every attempt: X-Svc-Delivery.
    """
    event_id: str = Field(..., alias="eventId")
    """
    The `id` of the callback and its webhook-id, by which receivers detect duplicates.
    """
    attempt: int
    """
    The number of the last attempt that began, or 0.
    """
    status: Literal["pending", "success", "failed", "retrying"] | str
    """
    The status: pending, success, failed (no more automatic retries) or retrying.
    """
    http_status: int | None = Field(..., alias="httpStatus")
    """
    The HTTP status of the last attempt. Null if there was no response.
    """
    error_message: str | None = Field(..., alias="errorMessage")
    """
    The reason why the last attempt failed, or why the event cannot be read. Null after a successful delivery.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    delivered_at: AwareDatetime | None = Field(..., alias="deliveredAt")
    """
    When the receiver accepted it, or null.
    """


class TriggerDeliveryList(Model):
    deliveries: list[TriggerDelivery]
    """
    The deliveries of the page.
    """
    next_cursor: str | None = Field(..., alias="nextCursor")
    """
    Null on the last page.
    """


class TriggerDeliveryDetails(Model):
    delivery: TriggerDelivery
    """
    The delivery.
    """
    body: str | None
    """
    The body of the callback: JSON text, the same in every attempt. Null for an event that cannot be read or is no longer stored.
    """


class OAuth2(Model):
    auth_url: str = Field(..., alias="authUrl")
    """
    The authorization endpoint of the provider.
    """


class PropertyOption(Model):
    label: str
    """
    The text that people read.
    """
    value: Any
    """
    The value that a call passes.
    """


class Property(Model):
    type: str
    """
    The type.
    """
    display_name: str = Field(..., alias="displayName")
    """
    The name that people read.
    """
    required: bool
    """
    Whether the property must be given.
    """
    description: str
    """
    The description that people and models read.
    """
    refreshers: list[str]
    """
    The names of the properties that affect the options of this property.
    """
    options: list[PropertyOption]
    """
    The options of a static select.
    """


class IntegrationAuth(Model):
    type: str
    """
    The first connection type that the integration accepts, or NONE.
    """
    types: list[str]
    """
    All connection types that the integration accepts.
    """
    required: bool
    """
    False if the integration also works without a connection.
    """
    oauth2: OAuth2 | None
    """
    The OAuth 2.0 endpoints, or null for other types.
    """
    description: str
    """
    Describes the purpose of a connection, or the props of a CUSTOM_AUTH connection.
    """
    props: dict[str, Property]
    """
    The props of a CUSTOM_AUTH connection by name. Empty if the description explains them.
    """
    account: dict[str, Property]
    """
    The values of an account, by name, that are part of the provider's URLs. The `data` of an OAuth connection must contain them.
    """


class PieceOperation(Model):
    """
    An action or a trigger.
    """

    name: str
    """
    The name.
    """
    display_name: str = Field(..., alias="displayName")
    """
    The name that people read.
    """
    description: str
    """
    The description that people and models read.
    """
    props: dict[str, Property]
    """
    The input properties by name.
    """
    require_auth: bool = Field(..., alias="requireAuth")
    """
    Whether the operation needs a connection.
    """


class Piece(Model):
    name: str
    """
    The name.
    """
    display_name: str = Field(..., alias="displayName")
    """
    The name that people read.
    """
    description: str
    """
    The description that people and models read.
    """
    logo_url: str = Field(..., alias="logoUrl")
    """
    The URL of the logo.
    """
    categories: list[str]
    """
    The categories of the integration.
    """
    auth: IntegrationAuth | None
    """
    How the integration authenticates, or null when it needs no connection.
    """
    actions: dict[str, PieceOperation]
    """
    The actions of the integration.
    """
    triggers: dict[str, PieceOperation]
    """
    The triggers.
    """


class PieceList(Model):
    data: list[Piece]
    """
    The pieces.
    """


class IntegrationName(RootModel[str]):
    root: str


class PropertyOptions(Model):
    options: list[PropertyOption]
    """
    At most 1000 options. Use a search to find other options.
    """
    disabled: bool
    """
    True if nothing can be selected yet, for example until another property has a value.
    """


class ResolvePieceOptionsBody(Model):
    connection_id: str | None = Field(None, alias="connectionId")
    """
    Required if the piece needs a connection.
    """
    input: dict[str, Any] | None = None
    """
    The current values of the form. Defaults to {}.
    """
    property_name: str = Field(..., alias="propertyName")
    """
    The name of the property. If several actions or triggers have it, the first of them with all refreshers of the property in `input` is used,
    actions before triggers.
    """


class ResolvedProps(Model):
    props: dict[str, Property]
    """
    The input properties by name.
    """


class ResolvePiecePropertiesBody(Model):
    connection_id: str | None = Field(None, alias="connectionId")
    """
    Required if the piece needs a connection.
    """
    input: dict[str, Any] | None = None
    """
    The current values of the form. Defaults to {}.
    """
    property_name: str = Field(..., alias="propertyName")
    """
    The name of the property. If several actions or triggers have it, the first of them with all refreshers of the property in `input` is used,
    actions before triggers.
    """


class InputPartial(Model):
    """
    The values that an input partial merges into the input of actions and triggers of one configured integration.
    """

    id: str
    """
    The id.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """
    trigger_name: str | None = Field(..., alias="triggerName")
    """
    The name of the trigger.
    """
    workspace_integration_id: str = Field(..., alias="workspaceIntegrationId")
    """
    The id of its configured integration.
    """
    integration_alias: str = Field(..., alias="integrationAlias")
    """
    The current alias of the configured integration.
    """
    action_name: str | None = Field(..., alias="actionName")
    """
    The only action that the partial applies to. If this field and triggerName are null, it applies to all actions and triggers, and each of them
    uses the values for which it has properties.
    """
    name: str
    """
    The name.
    """
    description: str | None
    """
    The description that people and models read.
    """
    enforced_keys: list[str] = Field(..., alias="enforcedKeys")
    """
    Keys that the input of a call cannot override. A call with `partialIds: []` skips the partial, so enforced keys do not restrict holders of an API
    key: use grants and approval policies for that.
    """
    is_default: bool = Field(..., alias="isDefault")
    """
    Whether the partial applies to calls that list no partials.
    """
    values: dict[str, Any]
    """
    The values that the partial adds to the input.
    """


class InputPartialList(Model):
    partials: list[InputPartial]
    """
    The input partials.
    """
    total: int
    """
    The number of items on all pages.
    """


class CreatePartialRequest(Model):
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    workspace_integration_id: str | None = Field(None, alias="workspaceIntegrationId")
    """
    The id of the configured integration. Without it and integrationAlias, the partial belongs to the configured integration that an execution
    without a selector uses.
    """
    integration_alias: str | None = Field(None, alias="integrationAlias")
    """
    The alias of the configured integration, used if workspaceIntegrationId is absent.
    """
    action_name: str | None = Field(None, alias="actionName")
    """
    Omit this field and triggerName for all actions and triggers.
    """
    trigger_name: str | None = Field(None, alias="triggerName")
    """
    Cannot be combined with actionName.
    """
    name: str
    """
    Unique among the partials of the same configured integration, action and trigger.
    """
    description: str | None = None
    """
    The description that people and models read.
    """
    values: dict[str, Any] | None = None
    """
    Values that match the properties of the action or trigger. A null value omits the key. SECRET_TEXT properties are not allowed. At most 64 kB as
    JSON.
    """
    enforced_keys: list[str] | None = Field(None, alias="enforcedKeys")
    """
    Keys of `values`.
    """
    is_default: bool | None = Field(None, alias="isDefault")
    """
    At most 5 partials of the same scope can be defaults.
    """


class InputPartialChanges(Model):
    name: str | None = None
    """
    The name.
    """
    description: str | None = None
    """
    Null removes it.
    """
    values: dict[str, Any] | None = None
    """
    Replaces all values. At most 64 kB as JSON.
    """
    enforced_keys: list[str] | None = Field(None, alias="enforcedKeys")
    """
    Replaces the whole list. Keys of `values`.
    """
    is_default: bool | None = Field(None, alias="isDefault")
    """
    Whether the partial applies to calls that name no partials.
    """


class SetDefaultPartialBody(Model):
    is_default: bool = Field(..., alias="isDefault")
    """
    Whether the partial applies to calls that name no partials.
    """


class Organization(Model):
    id: str
    """
    The id.
    """
    name: str
    """
    The name.
    """
    slug: str
    """
    The short name in URLs, unique in the organization.
    """
    plan: str
    """
    The name of a plan in the operator's plans file: free, team, scale or enterprise by default.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """
    logo: str | None
    """
    The logo on pages, as a data URI.
    """
    color: str | None
    """
    The colour of buttons on pages, `#rrggbb`.
    """


class OrganizationLimits(Model):
    """
    The limits of the plan. Null means unlimited.
    """

    requests_per_minute: int | None = Field(..., alias="requestsPerMinute")
    """
    Requests in 60 seconds.
    """
    workspaces: int | None
    """
    Workspaces.
    """
    members: int | None
    """
    Members.
    """
    mcp_servers: int | None = Field(..., alias="mcpServers")
    """
    MCP servers.
    """
    connections: int | None
    """
    Connections.
    """
    actions_per_month: int | None = Field(..., alias="actionsPerMonth")
    """
    Actions in a calendar month (UTC).
    """
    sandbox_runs_per_month: int | None = Field(..., alias="sandboxRunsPerMonth")
    """
    Sandbox runs in a calendar month (UTC).
    """
    minimum_polling_minutes: int | None = Field(..., alias="minimumPollingMinutes")
    """
    The shortest polling interval, in minutes.
    """
    tenant_o_auth_apps: bool = Field(..., alias="tenantOAuthApps")
    """
    Whether the organization may add OAuth apps of its own.
    """
    callbacks_per_trigger: int | None = Field(..., alias="callbacksPerTrigger")
    """
    The maximum number of concurrent callbacks of one trigger in each process. Null means 50.
    """


class PlanUsage(Model):
    """
    The usage as each service counts it, including suspended resources.
    """

    workspaces: int
    """
    Workspaces.
    """
    members: int
    """
    Members.
    """
    actions_this_month: int = Field(..., alias="actionsThisMonth")
    """
    Actions executed in the current month (UTC). The number is counted from events and is updated within seconds after an execution.
    """
    sandbox_runs_this_month: int = Field(..., alias="sandboxRunsThisMonth")
    """
    The number of these actions that ran code in the sandbox.
    """
    connections: int
    """
    Connections.
    """
    mcp_servers: int = Field(..., alias="mcpServers")
    """
    MCP servers.
    """


class OrganizationSummary(Model):
    organization: Organization
    """
    The organization.
    """
    limits: OrganizationLimits
    """
    The limits of the plan.
    """
    usage: PlanUsage
    """
    How much of the plan is used.
    """


class OrganizationChanges(Model):
    name: str | None = None
    """
    The name.
    """
    logo: str | None = None
    """
    The logo on pages: a PNG, JPEG or WebP of at most 32 kB and 1,024 pixels per side, as a data URI. Null removes it.
    """
    color: str | None = None
    """
    The colour of buttons on pages, `#rrggbb`. Null removes it.
    """


class OAuthApp(Model):
    id: str
    """
    The id.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    client_id: str = Field(..., alias="clientId")
    """
    The client id that the provider issued.
    """
    scopes: list[str] | None
    """
    The scopes to request instead of the integration's scopes. If null, the integration's scopes are requested.
    """
    workspace_id: str | None = Field(..., alias="workspaceId")
    """
    The workspace of the app, or null for the organization.
    """
    is_default: bool = Field(..., alias="isDefault")
    """
    Whether new connections use this app by default.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """


class OAuthAppList(Model):
    oauth_apps: list[OAuthApp] = Field(..., alias="oauthApps")
    """
    The OAuth apps of the page.
    """
    total: int
    """
    The number of items on all pages.
    """


class CreateOAuthAppRequest(Model):
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    client_id: str = Field(..., alias="clientId")
    """
    The client id that the provider issued.
    """
    client_secret: str = Field(..., alias="clientSecret")
    """
    The client secret. No response contains it.
    """
    scopes: list[str] | None = None
    """
    Omit it to request the scopes of the integration. At most 100.
    """
    workspace_id: str | None = Field(None, alias="workspaceId")
    """
    Omit it for the whole organization.
    """
    is_default: bool | None = Field(None, alias="isDefault")
    """
    Defaults to true for the first app of the organization or workspace.
    """


class OAuthAppChanges(Model):
    client_id: str | None = Field(None, alias="clientId")
    """
    The client id that the provider issued.
    """
    client_secret: str | None = Field(None, alias="clientSecret")
    """
    The client secret. No response contains it.
    """
    scopes: list[str] | None = None
    """
    Null restores the scopes of the integration.
    """
    is_default: bool | None = Field(None, alias="isDefault")
    """
    True replaces the previous default.
    """


class Member(Model):
    id: str
    """
    The id.
    """
    organization_id: str = Field(..., alias="organizationId")
    """
    The id of the organization.
    """
    user_id: str = Field(..., alias="userId")
    """
    The id of the user.
    """
    role: Literal["owner", "admin", "member"] | str
    """
    The role: owner, admin or member.
    """
    user_name: str = Field(..., alias="userName")
    """
    The name of the user.
    """
    user_email: str = Field(..., alias="userEmail")
    """
    The email address of the user.
    """
    user_image: str | None = Field(..., alias="userImage")
    """
    The URL of the user's picture, or null.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """


class MemberList(Model):
    members: list[Member]
    """
    The members of the page.
    """
    total: int
    """
    The number of items on all pages.
    """


class Invitation(Model):
    id: str
    """
    The id.
    """
    email: str
    """
    The email address that was invited.
    """
    organization_id: str = Field(..., alias="organizationId")
    """
    The id of the organization.
    """
    role: Literal["admin", "member"] | str
    """
    The role: admin or member.
    """
    status: str
    """
    Always `pending`.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When it expires.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """


class InvitedMember(Model):
    invitation: Invitation
    """
    The invitation.
    """
    link: str | None
    """
    The link that accepts the invitation.
    """


class InviteMemberBody(Model):
    email: str
    """
    An email address in the format of HTML forms. Stored in lower case.
    """
    role: InvitedRole | None = None
    """
    The role: admin or member. Defaults to member.
    """


class InvitationList(Model):
    invitations: list[Invitation]
    """
    The invitations of the page.
    """


class Role(RootModel[Literal["admin", "member", "owner"] | str]):
    root: Literal["admin", "member", "owner"] | str


class UpdateMemberBody(Model):
    role: Role
    """
    The role of the member.
    """


class McpTool(Model):
    id: str
    """
    The id.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    display_name: str | None = Field(..., alias="displayName")
    """
    The name that people read.
    """
    connection_id: str | None = Field(..., alias="connectionId")
    """
    The connection that the tool uses, or null for that of the configured integration.
    """
    sort_order: float = Field(..., alias="sortOrder")
    """
    Lists are sorted by this number, then by age.
    """
    workspace_integration_id: str | None = Field(..., alias="workspaceIntegrationId")
    """
    The configured integration of the tool. Null if the workspace had not configured the integration when the tool was added.
    """
    integration_alias: str = Field(..., alias="integrationAlias")
    """
    The alias of the configured integration.
    """
    partial_ids: list[str] | None = Field(..., alias="partialIds")
    """
    The partials that apply. Null if the default partials apply.
    """
    action_name: str = Field(..., alias="actionName")
    """
    The name of the action, such as `create_issue`.
    """
    description: str | None
    """
    The description that people and models read.
    """
    mcp_server_id: str = Field(..., alias="mcpServerId")
    """
    The id of the MCP server.
    """
    tool_type: Literal["ACTION"] = Field(..., alias="toolType")
    """
    Always `ACTION`.
    """
    input_defaults: dict[str, Any] | None = Field(..., alias="inputDefaults")
    """
    Default input, which the input of the caller overrides.
    """


class NewMcpTool(Model):
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    action_name: str = Field(..., alias="actionName")
    """
    The name of the action, such as `create_issue`.
    """
    integration_alias: str | None = Field(None, alias="integrationAlias")
    """
    The alias in the names of tools. Defaults to integrationName. An alias belongs to one integration.
    """
    tool_type: Literal["ACTION"] | None = Field(None, alias="toolType")
    """
    Always `ACTION`.
    """
    connection_id: str | None = Field(None, alias="connectionId")
    """
    The connection for all callers. It must belong to the organization or the workspace. By default, the configured integration with that alias
    selects it.
    """
    display_name: str | None = Field(None, alias="displayName")
    """
    The name that people read.
    """
    description: str | None = None
    """
    The description that people and models read.
    """
    input_defaults: dict[str, Any] | None = Field(None, alias="inputDefaults")
    """
    Default input, which the input of the caller overrides. SECRET_TEXT properties are not allowed. At most 64 kB as JSON.
    """
    partial_ids: list[str] | None = Field(None, alias="partialIds")
    """
    At most 10 input partials of the configured integration with that alias. Defaults to its default partials. An empty list applies no partials.
    """
    sort_order: float | None = Field(None, alias="sortOrder")
    """
    The position in lists: any finite number.
    """
    workspace_integration_id: str | None = Field(None, alias="workspaceIntegrationId")
    """
    The configured integration of the tool. Defaults to the configured integration with the alias, or else to the one that an execution without a
    selector uses. Required if the integration is configured more than once, none is the default and the account depends on it.
    """


class McpToolChanges(Model):
    display_name: str | None = Field(None, alias="displayName")
    """
    Null removes it.
    """
    description: str | None = None
    """
    Null removes it.
    """
    input_defaults: dict[str, Any] | None = Field(None, alias="inputDefaults")
    """
    Replaces all default input. Null removes it. At most 64 kB as JSON.
    """
    connection_id: str | None = Field(None, alias="connectionId")
    """
    If null, the configured integration selects the connection.
    """
    sort_order: float | None = Field(None, alias="sortOrder")
    """
    The position in lists: any finite number.
    """
    integration_alias: str | None = Field(None, alias="integrationAlias")
    """
    The alias of the configured integration.
    """
    partial_ids: list[str] | None = Field(None, alias="partialIds")
    """
    Replaces the whole list. Null selects the default partials; an empty list selects none.
    """
    workspace_integration_id: str | None = Field(None, alias="workspaceIntegrationId")
    """
    The id of the configured integration.
    """


class McpBearerToken(Model):
    id: str
    """
    The id.
    """
    token_prefix: str = Field(..., alias="tokenPrefix")
    """
    The first 8 characters of the token.
    """
    scopes: list[str]
    """
    The scopes of the token.
    """
    end_user_id: str = Field(..., alias="endUserId")
    """
    The externalId of the end user that calls act for.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When it expires.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    auth_method: Literal["bearer"] = Field(..., alias="authMethod")
    """
    Always `bearer`.
    """
    token_type: Literal["mcp_bearer"] = Field(..., alias="tokenType")
    """
    Always `mcp_bearer`.
    """


class IssuedMcpBearer(Model):
    access_token: str = Field(..., alias="accessToken")
    """
    The bearer token (`mcp_…`). No other response contains it.
    """
    bearer_token: str = Field(..., alias="bearerToken")
    """
    The same value as `token`.
    """
    token: McpBearerToken
    """
    The record of the token.
    """
    mcp_endpoint: str = Field(..., alias="mcpEndpoint")
    """
    The URL that MCP clients connect to.
    """


class IssueMcpTokenBody(Model):
    end_user_id: str = Field(..., alias="endUserId")
    """
    The externalId or id of the end user that calls act for.
    """
    scopes: list[Literal["mcp:tools", "mcp:code"] | str] | None = None
    """
    The scopes: mcp:tools or mcp:code. Defaults to the scopes of the server's mode.
    """
    expires_in: int | None = Field(None, alias="expiresIn")
    """
    The lifetime in seconds.
    """


class McpToken(Model):
    id: str
    """
    The id.
    """
    token_prefix: str = Field(..., alias="tokenPrefix")
    """
    The first 8 characters of the token.
    """
    scopes: list[str]
    """
    The scopes of the token.
    """
    end_user_id: str = Field(..., alias="endUserId")
    """
    The externalId of the end user that calls act for.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When it expires.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """


class IssuedMcpOAuthToken(Model):
    access_token: str = Field(..., alias="accessToken")
    """
    The OAuth access token (`mcpo_…`). No other response contains it.
    """
    token: McpToken
    """
    The record of the token.
    """
    mcp_endpoint: str = Field(..., alias="mcpEndpoint")
    """
    The URL that MCP clients connect to.
    """


class StoredMcpToken(Model):
    id: str
    """
    The id.
    """
    token_prefix: str = Field(..., alias="tokenPrefix")
    """
    The first 8 characters of the token.
    """
    scopes: list[str]
    """
    The scopes of the token.
    """
    end_user_id: str = Field(..., alias="endUserId")
    """
    The externalId of the end user that calls act for.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When it expires.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    auth_method: Literal["bearer"] | None = Field(None, alias="authMethod")
    """
    `bearer`, or absent for OAuth access tokens.
    """
    token_type: Literal["mcp_bearer"] | None = Field(None, alias="tokenType")
    """
    `mcp_bearer`, or absent for OAuth access tokens.
    """


class McpTokenList(Model):
    tokens: list[StoredMcpToken]
    """
    The tokens, newest first, without expired tokens and the static bearer token.
    """
    total: int
    """
    The number of tokens, counted up to 10,000.
    """


class McpCodeModeSettings(Model):
    approval_wait_seconds: int = Field(..., alias="approvalWaitSeconds")
    """
    The seconds that a continuation waits for an approval.
    """


class McpToolSettings(Model):
    discovery: Literal["list", "search"] | str
    """
    How agents find the tools of a server of mode TOOLS. list: tools/list returns all tools. search: tools/list returns svc_search and svc_call
    instead.
    """


class McpServerSettings(Model):
    code_mode: McpCodeModeSettings = Field(..., alias="codeMode")
    """
    The settings of Code Mode.
    """
    tools: McpToolSettings
    """
    The settings of the tool list.
    """


class McpServerAuth(Model):
    """
    How agents authenticate.
    """

    oauth_enabled: bool = Field(..., alias="oauthEnabled")
    """
    Whether OAuth access tokens are accepted.
    """
    bearer_enabled: bool = Field(..., alias="bearerEnabled")
    """
    Whether bearer tokens are accepted.
    """
    static_bearer_enabled: bool = Field(..., alias="staticBearerEnabled")
    """
    Whether the server has a static bearer token, which anyone who has the token can use. Requires that no integration needs a connection per user,
    or that the server belongs to one end user.
    """
    end_user_bearer_tokens_enabled: bool = Field(..., alias="endUserBearerTokensEnabled")
    """
    Whether bearer tokens can be issued for end users.
    """
    access_tokens_enabled: bool = Field(..., alias="accessTokensEnabled")
    """
    Whether access tokens can be issued for end users.
    """


class McpServer(Model):
    id: str
    """
    The id.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    name: str
    """
    The name.
    """
    description: str | None
    """
    The description that people and models read.
    """
    mode: Literal["TOOLS", "CODE"] | str
    """
    The mode: TOOLS or CODE.
    """
    settings: McpServerSettings
    """
    The settings.
    """
    auth_mode: Literal["oauth", "bearer", "oauth_and_bearer"] | str = Field(..., alias="authMode")
    """
    The authentication mode: oauth, bearer or oauth_and_bearer.
    """
    end_user_access: Literal["restricted", "open"] | str = Field(..., alias="endUserAccess")
    """
    The access of end users: restricted or open.
    """
    auth: McpServerAuth
    """
    The credentials that the server accepts.
    """
    end_user_id: str | None = Field(..., alias="endUserId")
    """
    The only end user of the server. Null for all end users of the workspace.
    """
    created_by: str | None = Field(..., alias="createdBy")
    """
    A label of the creator of the server.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """
    suspended_at: AwareDatetime | None = Field(..., alias="suspendedAt")
    """
    Null if the server is not suspended.
    """
    suspension_reason: str | None = Field(..., alias="suspensionReason")
    """
    The reason of the suspension: request (a caller suspended it) or plan (the limit of the plan is reached).
    """
    mcp_endpoint: str = Field(..., alias="mcpEndpoint")
    """
    The URL that agents connect to.
    """


class McpServerList(Model):
    servers: list[McpServer]
    """
    The MCP servers of the page.
    """
    total: int
    """
    The number of items on all pages.
    """


class CreatedMcpServer(Model):
    server: McpServer
    """
    The MCP server.
    """
    mcp_endpoint: str = Field(..., alias="mcpEndpoint")
    """
    The URL that MCP clients connect to.
    """
    bearer_token: str | None = Field(None, alias="bearerToken")
    """
    The static bearer token (`mcp_…`), if the server has one. No other response contains it.
    """


class CodeText(Model):
    type: Literal["text"]
    """
    The type.
    """
    text: str
    """
    The text.
    """


class CodeApproval(Model):
    id: str
    """
    The id of the approval, with the prefix `apr_`.
    """
    approval_url: str | None = Field(..., alias="approvalUrl")
    """
    The dashboard link, or null if the policy only allows decisions by hosted link.
    """
    hosted_approval_url: str | None = Field(..., alias="hostedApprovalUrl")
    """
    The hosted link, or null if the policy does not allow it. Anyone with the link can decide.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When it expires.
    """


class CodeApprovalLink(Model):
    kind: Literal["hosted_approval", "dashboard_approval"] | str
    """
    The kind of the page.
    """
    label: str
    """
    The text that people read.
    """
    url: str
    """
    The absolute URL of the page.
    """
    primary: bool
    """
    True for the link to show if only one is shown.
    """


class CodeContinuationArguments(Model):
    approval_id: str = Field(..., alias="approvalId")
    """
    The id of the next approval, with the prefix `apr_`.
    """


class CodeContinuation(Model):
    tool: Literal["svc_execute"]
    """
    The tool.
    """
    arguments: CodeContinuationArguments
    """
    The arguments of the tool.
    """


class CodeRunDetails(Model):
    status: Literal["approval_required", "approval_pending"] | str | None = None
    """
    `approval_required`, or `approval_pending` if a continuation finds the approval still pending. Absent for an error.
    """
    view: Literal["approval_required"] | None = None
    """
    Always `approval_required`.
    """
    title: str | None = None
    """
    A short heading.
    """
    description: str | None = None
    """
    The next step, as a message that an agent can pass to its user.
    """
    approval: CodeApproval | None = None
    """
    The next approval to decide.
    """
    links: list[CodeApprovalLink] | None = None
    """
    The pages on which an approver decides the next approval.
    """
    continuation: CodeContinuation | None = None
    """
    The tool and arguments that continue the run after the decision. Over REST, send the arguments as the body.
    """
    approvals: list[CodeApproval] | None = None
    """
    All pending approvals, if one run matches several policies.
    """
    error: str | None = None
    """
    The message of the error.
    """
    code: str | None = None
    """
    The code of the error, such as SYNTAX_ERROR, RUNTIME_ERROR, TIMEOUT or VALIDATION_ERROR.
    """
    details: dict[str, Any] | None = None
    """
    Details of the error: the line and column, and the calls that the program made.
    """


class CodeResult(Model):
    content: list[CodeText]
    """
    The returned value as JSON text, or the message of an error, followed by the console output, if any.
    """
    is_error: bool = Field(..., alias="isError")
    """
    True if the program failed. `structuredContent` contains the error.
    """
    structured_content: CodeRunDetails | None = Field(None, alias="structuredContent")
    """
    Present if the run waits for approvals, or failed.
    """


class ApprovalId(RootModel[str]):
    root: str


class ExecuteMcpCodeBody(Model):
    code: str | None = None
    """
    The body of an async function, in JavaScript or TypeScript.
    """
    approval_id: ApprovalId | None = Field(None, alias="approvalId")
    """
    The approval of a waiting run, with the prefix `apr_`. The stored run continues.
    """
    wait_for_approval_seconds: int | None = Field(None, alias="waitForApprovalSeconds")
    """
    Seconds to wait for a pending approval, with `approvalId`. Defaults to `settings.codeMode.approvalWaitSeconds` of the server.
    """


class McpDeclarations(Model):
    declarations: str
    """
    TypeScript declarations of `svc.<alias>.<action>(input)`.
    """


class Operation(Model):
    """
    An action or a trigger.
    """

    name: str
    """
    The name.
    """
    display_name: str = Field(..., alias="displayName")
    """
    The name that people read.
    """
    description: str
    """
    The description that people and models read.
    """
    props: dict[str, Property]
    """
    The input properties by name.
    """


class Integration(Model):
    name: str
    """
    The name.
    """
    display_name: str = Field(..., alias="displayName")
    """
    The name that people read.
    """
    description: str
    """
    The description that people and models read.
    """
    logo_url: str = Field(..., alias="logoUrl")
    """
    The URL of the logo.
    """
    categories: list[str]
    """
    The categories of the integration.
    """
    auth: IntegrationAuth | None
    """
    How the integration authenticates, or null when it needs no connection.
    """
    actions: dict[str, Operation]
    """
    The actions of the integration.
    """
    triggers: dict[str, Operation]
    """
    The triggers.
    """


class IntegrationList(Model):
    integrations: list[Integration]
    """
    The integrations of the page.
    """
    total: int
    """
    The number of items on all pages.
    """
    registered: list[str]
    """
    The names of all registered integrations.
    """


class IntegrationSummary(Model):
    name: str
    """
    The name.
    """
    display_name: str = Field(..., alias="displayName")
    """
    The name that people read.
    """
    description: str
    """
    The description that people and models read.
    """
    logo_url: str = Field(..., alias="logoUrl")
    """
    The URL of the logo.
    """
    categories: list[str]
    """
    The categories of the integration.
    """
    auth: IntegrationAuth | None
    """
    How the integration authenticates.
    """


class IntegrationSummaryList(Model):
    integrations: list[IntegrationSummary]
    """
    The integrations of the page.
    """
    total: int
    """
    The number of items on all pages.
    """
    registered: list[str]
    """
    The names of all registered integrations.
    """


class OAuthStatus(Model):
    configured: list[str]
    """
    Names of integrations in alphabetical order.
    """


class ResolveOptionsBody(Model):
    workspace_id: str | None = Field(None, alias="workspaceId")
    """
    Without a workspace, connectionExternalId refers to a connection of the organization.
    """
    connection_external_id: str | None = Field(None, alias="connectionExternalId")
    """
    Selects the connection directly. By default the configured integration selects it.
    """
    trigger_name: str | None = Field(None, alias="triggerName")
    """
    The name of the trigger.
    """
    workspace_integration_id: str | None = Field(None, alias="workspaceIntegrationId")
    """
    The id of the configured integration. Takes precedence over the alias.
    """
    integration_alias: str | None = Field(None, alias="integrationAlias")
    """
    The alias of the configured integration, used if workspaceIntegrationId is absent.
    """
    end_user_id: str | None = Field(None, alias="endUserId")
    """
    The externalId of the end user, for per-user connections.
    """
    input: dict[str, Any] | None = None
    """
    The current values of the form. Defaults to {}.
    """
    partial_ids: list[str] | None = Field(None, alias="partialIds")
    """
    Ids of the partials to apply. An empty list applies no partials.
    """
    property_name: str = Field(..., alias="propertyName")
    """
    The name of the property.
    """
    action_name: str | None = Field(None, alias="actionName")
    """
    The action that has the property. Required without triggerName.
    """
    search_value: str | None = Field(None, alias="searchValue")
    """
    Returns options that contain each word in their label or value.
    """


class ResolvedProperties(Model):
    properties: dict[str, Property]
    """
    At most 500 properties, by their keys in the value.
    """


class ResolvePropertiesBody(Model):
    workspace_id: str | None = Field(None, alias="workspaceId")
    """
    Without a workspace, connectionExternalId refers to a connection of the organization.
    """
    connection_external_id: str | None = Field(None, alias="connectionExternalId")
    """
    Selects the connection directly. By default the configured integration selects it.
    """
    trigger_name: str | None = Field(None, alias="triggerName")
    """
    The name of the trigger.
    """
    workspace_integration_id: str | None = Field(None, alias="workspaceIntegrationId")
    """
    The id of the configured integration. Takes precedence over the alias.
    """
    integration_alias: str | None = Field(None, alias="integrationAlias")
    """
    The alias of the configured integration, used if workspaceIntegrationId is absent.
    """
    end_user_id: str | None = Field(None, alias="endUserId")
    """
    The externalId of the end user, for per-user connections.
    """
    input: dict[str, Any] | None = None
    """
    The current values of the form. Defaults to {}.
    """
    partial_ids: list[str] | None = Field(None, alias="partialIds")
    """
    Ids of the partials to apply. An empty list applies no partials.
    """
    property_name: str = Field(..., alias="propertyName")
    """
    The name of the property.
    """
    action_name: str | None = Field(None, alias="actionName")
    """
    The action that has the property. Required without triggerName.
    """


class ExecutionError(Model):
    code: str
    """
    The error code, for programs.
    """
    message: str
    """
    The error message for people.
    """
    details: dict[str, Any] | None
    """
    Details for programs.
    """


class ConsoleLine(Model):
    number: int
    """
    The number of the line, starting at 1.
    """
    level: Literal["debug", "log", "info", "warn", "error"] | str
    """
    The level: debug, log, info, warn or error.
    """
    text: str
    """
    The text of the line, redacted.
    """


class Execution(Model):
    id: str
    """
    The id.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    source: Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"] | str
    """
    The source of the call: rest, sdk, playground, mcp_tools, mcp_code or trigger.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    integration_alias: str | None = Field(..., alias="integrationAlias")
    """
    The alias of the configured integration.
    """
    action_name: str = Field(..., alias="actionName")
    """
    The name of the action, such as `create_issue`.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    end_user_id: str | None = Field(..., alias="endUserId")
    """
    The externalId of the end user.
    """
    connection_id: str | None = Field(..., alias="connectionId")
    """
    The id of the connection.
    """
    status: Literal["running", "success", "failed"] | str
    """
    The status: running, success or failed. A long-running execution of code is listed while it is running.
    """
    duration_ms: int = Field(..., alias="durationMs")
    """
    How long the run took, in milliseconds.
    """
    error: ExecutionError | None
    """
    Why the action failed, or null.
    """
    approval_id: str | None = Field(..., alias="approvalId")
    """
    The approval under which the call ran, or null.
    """
    input: dict[str, Any] | None
    """
    The input, redacted. More than 16 kB or 32 levels are truncated to `{truncated: true, preview}`.
    """
    output: dict[str, Any] | None
    """
    The output, redacted. More than 16 kB or 32 levels are truncated to `{truncated: true, preview}`.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    console: list[ConsoleLine]
    """
    The console lines that a run has written so far. Empty in lists and after the run has ended, because its output or error then contains the
    console.
    """


class ExecutionList(Model):
    executions: list[Execution]
    """
    The executions of the page.
    """
    next_cursor: str | None = Field(..., alias="nextCursor")
    """
    Null on the last page.
    """


class EndUser(Model):
    id: str
    """
    The id.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    external_id: str = Field(..., alias="externalId")
    """
    The id that the customer assigned to the end user, unique in the workspace.
    """
    display_name: str | None = Field(..., alias="displayName")
    """
    The name that people read.
    """
    email: str | None
    """
    The email address.
    """
    metadata: dict[str, Any]
    """
    Keys and values that the customer assigned.
    """
    type: str
    """
    Always `external`.
    """
    connection_count: int = Field(..., alias="connectionCount")
    """
    The number of connections, including suspended ones.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """


class EndUserList(Model):
    end_users: list[EndUser] = Field(..., alias="endUsers")
    """
    The end users of the page.
    """
    total: int
    """
    The number of items on all pages.
    """


class CreateEndUserRequest(Model):
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    external_id: str = Field(..., alias="externalId")
    """
    Your own id for it.
    """
    display_name: str | None = Field(None, alias="displayName")
    """
    The name that people read.
    """
    email: str | None = None
    """
    An email address in the format of HTML forms.
    """
    metadata: dict[str, Any] | None = None
    """
    At most 50 keys and 16 kB as JSON. Defaults to none.
    """


class EndUserConnection(Model):
    """
    A connection of an end user.
    """

    id: str
    """
    The id.
    """
    external_id: str = Field(..., alias="externalId")
    """
    Your own id for it.
    """
    display_name: str = Field(..., alias="displayName")
    """
    The name that people read.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    type: Literal["SECRET_TEXT", "BASIC_AUTH", "CUSTOM_AUTH", "OAUTH2", "PLATFORM_OAUTH2"] | str
    """
    The connection type: SECRET_TEXT, BASIC_AUTH, CUSTOM_AUTH, OAUTH2 or PLATFORM_OAUTH2.
    """
    status: Literal["ACTIVE", "ERROR"] | str
    """
    The status: ACTIVE, or ERROR if the provider rejected the credential and the user must reconnect.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """


class ShownEndUser(Model):
    end_user: EndUser = Field(..., alias="endUser")
    """
    The end user.
    """
    connections: list[EndUserConnection]
    """
    The newest 100 connections of the end user, including suspended ones.
    """


class EndUserChanges(Model):
    display_name: str | None = Field(None, alias="displayName")
    """
    Null removes it.
    """
    email: str | None = None
    """
    Null removes it.
    """
    metadata: dict[str, Any] | None = None
    """
    Replaces the metadata. Null removes it. At most 50 keys and 16 kB as JSON.
    """


class DeletedEndUser(Model):
    deleted: bool
    """
    Always true.
    """
    id: str
    """
    The id.
    """
    connections_deleted: int = Field(..., alias="connectionsDeleted")
    """
    How many connections were deleted with the end user.
    """


class PortalLink(Model):
    token: str
    """
    The portal token (`eut_…`).
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When it expires.
    """
    connect_url: str = Field(..., alias="connectUrl")
    """
    The URL of the portal, in which the end user lists and deletes connections.
    """


class PortalLimits(Model):
    """
    The limits of a portal link.
    """

    integration_name: str | None = Field(None, alias="integrationName")
    """
    Limits the portal to connections of this integration.
    """
    workspace_integration_id: str | None = Field(None, alias="workspaceIntegrationId")
    """
    Limits the portal to the integration that is configured under this id.
    """
    expires_in: int | None = Field(None, alias="expiresIn")
    """
    The lifetime in seconds.
    """


class MailedPortalLink(Model):
    token: str
    """
    The portal token (`eut_…`).
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When it expires.
    """
    connect_url: str = Field(..., alias="connectUrl")
    """
    The URL of the portal, in which the end user lists and deletes connections.
    """
    email_sent: bool = Field(..., alias="emailSent")
    """
    True if the email is queued. It is retried while the mail server is unavailable.
    """


class PortalInvitation(Model):
    email: str
    """
    The address that receives the link.
    """
    integration_name: str | None = Field(None, alias="integrationName")
    """
    Limits the portal to connections of this integration.
    """
    workspace_integration_id: str | None = Field(None, alias="workspaceIntegrationId")
    """
    Limits the portal to the integration that is configured under this id.
    """
    expires_in: int | None = Field(None, alias="expiresIn")
    """
    The lifetime in seconds.
    """


class ConnectLink(Model):
    token: str
    """
    The connect token (`cst_…`).
    """
    session_id: str = Field(..., alias="sessionId")
    """
    The id of the connect session.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When it expires.
    """
    connect_url: str = Field(..., alias="connectUrl")
    """
    The URL of the connect page. Open it in a popup or redirect the browser to it.
    """


class ConnectionScope(RootModel[Literal["ORGANIZATION", "WORKSPACE", "USER"] | str]):
    root: Literal["ORGANIZATION", "WORKSPACE", "USER"] | str


class CreateConnectTokenBody(Model):
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    connection_name: str = Field(..., alias="connectionName")
    """
    The display name of the connection.
    """
    external_id: str = Field(..., alias="externalId")
    """
    The externalId of the connection. An existing connection with this externalId and the same owner is reconnected and keeps its id.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    end_user_id: str | None = Field(None, alias="endUserId")
    """
    The externalId of the end user.
    """
    scope: ConnectionScope | None = None
    """
    The scope: ORGANIZATION (default), WORKSPACE or USER (requires endUserId).
    """
    oauth_app_id: str | None = Field(None, alias="oauthAppId")
    """
    Defaults to the default OAuth app.
    """
    success_redirect_uri: str | None = Field(None, alias="successRedirectUri")
    """
    The URL of the redirect after success, with `status` and `connection_id` in the query.
    """
    error_redirect_uri: str | None = Field(None, alias="errorRedirectUri")
    """
    The URL of the redirect after a failure, with `status` and `error` in the query.
    """


class ConnectSession(Model):
    id: str
    """
    The id.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    connection_name: str = Field(..., alias="connectionName")
    """
    The display name that the connection gets.
    """
    external_id: str = Field(..., alias="externalId")
    """
    Your own id for it.
    """
    status: Literal["PENDING", "CONNECTING", "COMPLETED", "FAILED"] | str
    """
    The status: PENDING, CONNECTING, COMPLETED or FAILED.
    """
    connection_id: str | None = Field(..., alias="connectionId")
    """
    Present if the status is COMPLETED.
    """
    error: str | None
    """
    Present if the status is FAILED.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When it expires.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """


class ConnectOutcome(Model):
    status: Literal["PENDING", "CONNECTING", "COMPLETED", "FAILED"] | str
    """
    The status: PENDING, CONNECTING, COMPLETED or FAILED.
    """
    connection_id: str | None = Field(..., alias="connectionId")
    """
    The id of the connection.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    external_id: str = Field(..., alias="externalId")
    """
    Your own id for it.
    """
    error: str | None
    """
    Why the session failed, or null.
    """


class PollConnectSessionRequest(Model):
    token: str
    """
    The connect token (`cst_…`).
    """


class ConnectionError(Model):
    code: str
    """
    The error code, for programs.
    """
    message: str
    """
    The error message for people.
    """
    since: AwareDatetime
    """
    When the connection failed.
    """


class Connection(Model):
    id: str
    """
    The id.
    """
    external_id: str = Field(..., alias="externalId")
    """
    The id that the customer assigned, unique within its scope.
    """
    display_name: str = Field(..., alias="displayName")
    """
    The name of the connection that people read.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    type: Literal["SECRET_TEXT", "BASIC_AUTH", "CUSTOM_AUTH", "OAUTH2", "PLATFORM_OAUTH2"] | str
    """
    The connection type: SECRET_TEXT, BASIC_AUTH, CUSTOM_AUTH, OAUTH2 or PLATFORM_OAUTH2.
    """
    status: Literal["ACTIVE", "ERROR"] | str
    """
    The status: ACTIVE, or ERROR if the provider rejected the credential and the user must reconnect.
    """
    scope: Literal["ORGANIZATION", "WORKSPACE", "USER"] | str
    """
    The scope: ORGANIZATION, WORKSPACE or USER.
    """
    workspace_id: str | None = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    end_user_id: str | None = Field(..., alias="endUserId")
    """
    The externalId of the end user.
    """
    error: ConnectionError | None
    """
    Why the connection cannot be used, or null.
    """
    suspended_at: AwareDatetime | None = Field(..., alias="suspendedAt")
    """
    When it was suspended, or null.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """
    suspension_reason: str | None = Field(..., alias="suspensionReason")
    """
    The reason of the suspension: request (a caller suspended it) or plan (the limit of the plan is reached).
    """


class ConnectionList(Model):
    connections: list[Connection]
    """
    The connections of the page.
    """
    total: int
    """
    The number of items on all pages.
    """


class ConnectionType(RootModel[Literal["SECRET_TEXT", "BASIC_AUTH", "CUSTOM_AUTH", "OAUTH2", "PLATFORM_OAUTH2"] | str]):
    root: Literal["SECRET_TEXT", "BASIC_AUTH", "CUSTOM_AUTH", "OAUTH2", "PLATFORM_OAUTH2"] | str


class CreateConnectionBody(Model):
    type: ConnectionType
    """
    The connection type: SECRET_TEXT, BASIC_AUTH, CUSTOM_AUTH, OAUTH2 or PLATFORM_OAUTH2.
    """
    external_id: str = Field(..., alias="externalId")
    """
    Your own id for it.
    """
    display_name: str = Field(..., alias="displayName")
    """
    The name that people read.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    workspace_id: str | None = Field(None, alias="workspaceId")
    """
    The id of the workspace.
    """
    end_user_id: str | None = Field(None, alias="endUserId")
    """
    The externalId of the end user. With workspaceId, an unknown end user is created.
    """
    scope: ConnectionScope | None = None
    """
    The scope: ORGANIZATION (default), WORKSPACE (requires workspaceId) or USER (requires workspaceId and endUserId).
    """
    oauth_app_id: str | None = Field(None, alias="oauthAppId")
    """
    Defaults to the default OAuth app.
    """
    secret_text: str | None = Field(None, alias="secretText")
    """
    For SECRET_TEXT.
    """
    username: str | None = None
    """
    For BASIC_AUTH.
    """
    password: str | None = None
    """
    For BASIC_AUTH.
    """
    props: dict[str, Any] | None = None
    """
    For CUSTOM_AUTH. At most 100 values; a credential has at most 64 kB.
    """
    access_token: str | None = Field(None, alias="accessToken")
    """
    For OAUTH2 and PLATFORM_OAUTH2.
    """
    refresh_token: str | None = Field(None, alias="refreshToken")
    """
    The refresh token, from which access tokens are obtained.
    """
    token_type: str | None = Field(None, alias="tokenType")
    """
    The token type. Defaults to Bearer.
    """
    expires_in: int | None = Field(None, alias="expiresIn")
    """
    The lifetime in seconds.
    """
    scope_oauth: str | None = None
    """
    The granted scopes.
    """
    data: dict[str, Any] | None = None
    """
    Other fields of the provider's token response. At most 100 values.
    """


class ReconnectBody(Model):
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The workspace of the connection, unless its scope is ORGANIZATION.
    """
    oauth_app_id: str | None = Field(None, alias="oauthAppId")
    """
    The id of the OAuth app that the authorization uses.
    """
    success_redirect_uri: str | None = Field(None, alias="successRedirectUri")
    """
    The URL of the redirect after success.
    """
    error_redirect_uri: str | None = Field(None, alias="errorRedirectUri")
    """
    The URL of the redirect after the user cancels or the provider refuses.
    """


class ConnectionSelector(Model):
    """
    Selects the connection of a call.
    """

    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    external_id: str | None = Field(None, alias="externalId")
    """
    Your own id for it.
    """
    end_user_id: str | None = Field(None, alias="endUserId")
    """
    The externalId of the end user.
    """


class AuditActor(Model):
    type: str
    """
    The actor type: api_key, user, operator or system.
    """
    id: str | None
    """
    The id of the user, API key or end user.
    """
    name: str | None
    """
    The name of the key or the email address of the user at that time.
    """


class AuditResource(Model):
    type: str
    """
    The type.
    """
    id: str | None
    """
    The id.
    """
    name: str | None
    """
    The name.
    """


class AuditEntry(Model):
    id: str
    """
    The id.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    workspace_id: str | None = Field(..., alias="workspaceId")
    """
    The id of the workspace, or null for an organization-wide entry.
    """
    actor: AuditActor
    """
    The user, API key or end user that acted.
    """
    action: str
    """
    The action, such as `workspace.create`.
    """
    resource: AuditResource
    """
    The resource of the entry.
    """
    outcome: Literal["allowed", "denied"] | str
    """
    The outcome: allowed or denied.
    """
    reason: str | None
    """
    The reason of a denial, or the purpose of an allowed use.
    """
    request_id: str = Field(..., alias="requestId")
    """
    The `X-Request-Id` of the request.
    """
    address: str | None
    """
    The IP address of the client.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """


class AuditEntryList(Model):
    entries: list[AuditEntry]
    """
    The entries of the page.
    """
    next_cursor: str | None = Field(..., alias="nextCursor")
    """
    Null on the last page. With several filters a page can be short or empty before the last one.
    """


class Decider(Model):
    """
    The actor of a decision.
    """

    type: str
    """
    The type: api_key, user, end_user (the end user of the request) or hosted_link (anyone with the link).
    """
    id: str | None
    """
    The id of the key or user.
    """


class Approval(Model):
    id: str
    """
    The id, with the prefix `apr_`.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    policy_id: str | None = Field(..., alias="policyId")
    """
    The policy that required the approval. It may have been deleted.
    """
    workspace_id: str | None = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    end_user_id: str | None = Field(..., alias="endUserId")
    """
    The externalId of the end user.
    """
    source: Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"] | str
    """
    The source of the call: rest, sdk, playground, mcp_tools, mcp_code or trigger.
    """
    status: Literal["pending", "approved", "rejected", "expired", "canceled", "consumed"] | str
    """
    The status: pending, approved, rejected, expired, canceled or consumed.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    integration_alias: str | None = Field(..., alias="integrationAlias")
    """
    The alias of the configured integration.
    """
    workspace_integration_id: str | None = Field(..., alias="workspaceIntegrationId")
    """
    The id of the configured integration.
    """
    mcp_server_id: str | None = Field(..., alias="mcpServerId")
    """
    The id of the MCP server.
    """
    action_name: str = Field(..., alias="actionName")
    """
    The name of the action, such as `create_issue`.
    """
    input_hash: str = Field(..., alias="inputHash")
    """
    SHA-256 of the call in canonical form (RFC 8785). The approval covers only this call. For a batch of calls, SHA-256 of the run.
    """
    input_preview: dict[str, Any] = Field(..., alias="inputPreview")
    """
    Redacted input with at most 100 fields and 32 kB of values. A value that is too long, or is nested more than 32 levels deep, is replaced by
    `{truncated: true, preview, bytes, sha256}`: its beginning, and the length and SHA-256 of the redacted text. Invisible, bidirectional and
    look-alike characters are written as code points, `⟨U+202E⟩`.
    """
    redacted_paths: list[str] = Field(..., alias="redactedPaths")
    """
    The redacted paths of the input, at most 100: `headers.authorization`, `items[2].token`.
    """
    risk_reasons: list[str] = Field(..., alias="riskReasons")
    """
    The reasons why the policy matched.
    """
    approval_access_mode: Literal["dashboard_only", "dashboard_and_hosted_link", "hosted_link_only"] | str = Field(..., alias="approvalAccessMode")
    """
    Where the request can be decided: dashboard_only, dashboard_and_hosted_link or hosted_link_only.
    """
    approval_url: str | None = Field(..., alias="approvalUrl")
    """
    The dashboard link for approvers who can sign in. Null if the request can only be decided by hosted link.
    """
    hosted_approval_url: str | None = Field(..., alias="hostedApprovalUrl")
    """
    The hosted link. Anyone with the link can decide. Null if the policy does not allow it, and for readers who can neither decide nor, with a key,
    execute.
    """
    idempotency_key: str | None = Field(..., alias="idempotencyKey")
    """
    The idempotency key to send with the retry.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When the pending request expires.
    """
    decided_at: AwareDatetime | None = Field(..., alias="decidedAt")
    """
    When it was decided, or null.
    """
    decided_by: Decider | None = Field(..., alias="decidedBy")
    """
    The actor of the decision, or null.
    """
    decision_reason: str | None = Field(..., alias="decisionReason")
    """
    The reason that the approver gave, or null.
    """
    consumed_at: AwareDatetime | None = Field(..., alias="consumedAt")
    """
    When the approved call ran.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """
    truncated_fields: list[str] = Field(..., alias="truncatedFields")
    """
    Fields of `inputPreview` that are truncated. If there are any, a hosted link cannot approve the request.
    """
    omitted_fields: int = Field(..., alias="omittedFields")
    """
    The number of fields that `inputPreview` omits. If it is not 0, a hosted link cannot approve the request.
    """
    code_run_id: str | None = Field(..., alias="codeRunId")
    """
    The run of Code Mode that the approval belongs to. Null for other calls.
    """
    code_run_type: str | None = Field(..., alias="codeRunType")
    """
    `mcp_code_batch_run` if the approval covers predicted calls of the run, which `inputPreview` then describes; `mcp_code_call` for one call
    of the run. Null for other calls. Use it instead of `inputPreview.type`, which the
    caller of a single call controls.
    """


class ApprovalList(Model):
    approvals: list[Approval]
    """
    The approvals of the page.
    """
    total: int
    """
    The number of matches, up to 1,000. With several filters, only the newest 1,000 matches of one filter are counted.
    """
    next_cursor: str | None = Field(..., alias="nextCursor")
    """
    Null on the last page. With several filters a page can be short or empty before the last one.
    """


class WebhookDelivery(Model):
    """
    A delivery of an event to a webhook of the policy.
    """

    id: str
    """
    The id of the delivery, the same in every attempt: X-Svc-Delivery and webhook-id.
    """
    event_type: str = Field(..., alias="eventType")
    """
    The event: approval.requested, approval.approved, approval.rejected, approval.canceled or approval.expired.
    """
    callback_url: str = Field(..., alias="callbackUrl")
    """
    The URL that receives the deliveries.
    """
    attempt: int
    """
    The number of the last attempt that began, or 0.
    """
    status: Literal["pending", "success", "failed", "retrying"] | str
    """
    The status: pending, success, failed (no more automatic retries) or retrying.
    """
    http_status: int | None = Field(..., alias="httpStatus")
    """
    The HTTP status of the last attempt. Null if there was no response.
    """
    error_message: str | None = Field(..., alias="errorMessage")
    """
    The error of the last attempt. Null after a successful delivery.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    delivered_at: AwareDatetime | None = Field(..., alias="deliveredAt")
    """
    When the receiver accepted it, or null.
    """


class ShownApproval(Model):
    id: str
    """
    The id, with the prefix `apr_`.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    policy_id: str | None = Field(..., alias="policyId")
    """
    The policy that required the approval. It may have been deleted.
    """
    workspace_id: str | None = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    end_user_id: str | None = Field(..., alias="endUserId")
    """
    The externalId of the end user.
    """
    source: Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"] | str
    """
    The source of the call: rest, sdk, playground, mcp_tools, mcp_code or trigger.
    """
    status: Literal["pending", "approved", "rejected", "expired", "canceled", "consumed"] | str
    """
    The status: pending, approved, rejected, expired, canceled or consumed.
    """
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    integration_alias: str | None = Field(..., alias="integrationAlias")
    """
    The alias of the configured integration.
    """
    workspace_integration_id: str | None = Field(..., alias="workspaceIntegrationId")
    """
    The id of the configured integration.
    """
    mcp_server_id: str | None = Field(..., alias="mcpServerId")
    """
    The id of the MCP server.
    """
    action_name: str = Field(..., alias="actionName")
    """
    The name of the action, such as `create_issue`.
    """
    input_hash: str = Field(..., alias="inputHash")
    """
    SHA-256 of the call in canonical form (RFC 8785). The approval covers only this call. For a batch of calls, SHA-256 of the run.
    """
    input_preview: dict[str, Any] = Field(..., alias="inputPreview")
    """
    Redacted input with at most 100 fields and 32 kB of values. A value that is too long, or is nested more than 32 levels deep, is replaced by
    `{truncated: true, preview, bytes, sha256}`: its beginning, and the length and SHA-256 of the redacted text. Invisible, bidirectional and
    look-alike characters are written as code points, `⟨U+202E⟩`.
    """
    redacted_paths: list[str] = Field(..., alias="redactedPaths")
    """
    The redacted paths of the input, at most 100: `headers.authorization`, `items[2].token`.
    """
    risk_reasons: list[str] = Field(..., alias="riskReasons")
    """
    The reasons why the policy matched.
    """
    approval_access_mode: Literal["dashboard_only", "dashboard_and_hosted_link", "hosted_link_only"] | str = Field(..., alias="approvalAccessMode")
    """
    Where the request can be decided: dashboard_only, dashboard_and_hosted_link or hosted_link_only.
    """
    approval_url: str | None = Field(..., alias="approvalUrl")
    """
    The dashboard link for approvers who can sign in. Null if the request can only be decided by hosted link.
    """
    hosted_approval_url: str | None = Field(..., alias="hostedApprovalUrl")
    """
    The hosted link. Anyone with the link can decide. Null if the policy does not allow it, and for readers who can neither decide nor, with a key,
    execute.
    """
    idempotency_key: str | None = Field(..., alias="idempotencyKey")
    """
    The idempotency key to send with the retry.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When the pending request expires.
    """
    decided_at: AwareDatetime | None = Field(..., alias="decidedAt")
    """
    When it was decided, or null.
    """
    decided_by: Decider | None = Field(..., alias="decidedBy")
    """
    The actor of the decision, or null.
    """
    decision_reason: str | None = Field(..., alias="decisionReason")
    """
    The reason that the approver gave, or null.
    """
    consumed_at: AwareDatetime | None = Field(..., alias="consumedAt")
    """
    When the approved call ran.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """
    truncated_fields: list[str] = Field(..., alias="truncatedFields")
    """
    Fields of `inputPreview` that are truncated. If there are any, a hosted link cannot approve the request.
    """
    omitted_fields: int = Field(..., alias="omittedFields")
    """
    The number of fields that `inputPreview` omits. If it is not 0, a hosted link cannot approve the request.
    """
    code_run_id: str | None = Field(..., alias="codeRunId")
    """
    The run of Code Mode that the approval belongs to. Null for other calls.
    """
    code_run_type: str | None = Field(..., alias="codeRunType")
    """
    `mcp_code_batch_run` if the approval covers predicted calls of the run, which `inputPreview` then describes; `mcp_code_call` for one call
    of the run. Null for other calls. Use it instead of `inputPreview.type`, which the
    caller of a single call controls.
    """
    webhook_deliveries: list[WebhookDelivery] = Field(..., alias="webhookDeliveries")
    """
    The last 20 webhook deliveries of the approval, newest first.
    """


class Receipt(Model):
    id: str
    """
    The id.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When the receipt expires.
    """


class DecidedApproval(Model):
    approval: Approval
    """
    The approval.
    """
    receipt: Receipt | None
    """
    When the receipt expires. Until then, the same call can run once.
    """


class DecisionNote(Model):
    reason: str | None = None
    """
    The reason, shown with the decision and in the audit log.
    """
    metadata: dict[str, Any] | None = None
    """
    Metadata stored with the decision. At most 16 kB and 50 keys.
    """


class AmountThreshold(Model):
    path: str
    """
    Required. Input keys joined by dots: `amount`, `items.price` (of any item), `items[0].price`.
    """
    gt: float
    """
    Required.
    """


class ApprovalRules(Model):
    """
    Alternative rules: a call matches if any rule matches. Without rules every call matches.
    """

    action_categories: list[Literal["read", "write", "delete", "send", "payment", "admin", "code"] | str] | None = Field(
        None, alias="actionCategories"
    )
    """
    Categories of actions: read, write, delete, send, payment, admin, code.
    """
    amount_thresholds: list[AmountThreshold] | None = Field(None, alias="amountThresholds")
    """
    Matches if a number in the input exceeds one of these thresholds.
    """
    recipient_allowlist: list[str] | None = Field(None, alias="recipientAllowlist")
    """
    Matches if a recipient is not in this list of emails, `@domain` or ids.
    """
    recipient_denylist: list[str] | None = Field(None, alias="recipientDenylist")
    """
    Matches if a recipient is in this list.
    """
    domain_allowlist: list[str] | None = Field(None, alias="domainAllowlist")
    """
    Matches if a URL or email address in the input has a host that is neither in this list nor a subdomain of a host in it.
    """
    domain_denylist: list[str] | None = Field(None, alias="domainDenylist")
    """
    Matches if a URL or email address in the input has a host that is in this list or a subdomain of a host in it.
    """
    storage_path_prefixes: list[str] | None = Field(None, alias="storagePathPrefixes")
    """
    Matches if a key or path in the input starts with one of these prefixes.
    """


class ApprovalPolicyTest(Model):
    decision: Literal["allow", "require_approval", "notify_only", "block", "auto_approve"] | str
    """
    The decision of the policy, or allow if it does not match.
    """
    matched: bool
    """
    Whether the policy matches the call.
    """
    reasons: list[str]
    """
    The reasons why the policy matches.
    """


class ApprovalTestContext(Model):
    """
    A call to test. If a field is omitted, filters on this field do not match.
    """

    workspace_id: str | None = Field(None, alias="workspaceId")
    """
    The id of the workspace.
    """
    source: Literal["rest", "sdk", "mcp_tools", "mcp_code", "playground", "trigger"] | str | None = None
    """
    The source of the call: `rest`, `sdk`, `playground`, `mcp_tools`, `mcp_code` or `trigger`.
    """
    integration_name: str | None = Field(None, alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    integration_alias: str | None = Field(None, alias="integrationAlias")
    """
    The alias of the configured integration.
    """
    action_name: str | None = Field(None, alias="actionName")
    """
    The name of the action, such as `create_issue`.
    """
    connection_strategy: Literal["fixed", "per_user", "per_user_with_fallback"] | str | None = Field(None, alias="connectionStrategy")
    """
    The connection of a call: `fixed`, `per_user` or `per_user_with_fallback`.
    """
    input: dict[str, Any] | None = None
    """
    The input of the action.
    """
    end_user_id: str | None = Field(None, alias="endUserId")
    """
    The end user's external id.
    """
    workspace_integration_id: str | None = Field(None, alias="workspaceIntegrationId")
    """
    The id of the configured integration.
    """
    mcp_server_id: str | None = Field(None, alias="mcpServerId")
    """
    The id of the MCP server.
    """


class ApprovalPermissions(Model):
    decide: bool
    """
    Whether the key can decide approval requests. Defaults to false, because a key that runs actions must not approve its own calls.
    """


class Permissions(Model):
    """
    The permissions of a caller: an API key or a user.
    """

    scope: Literal["org", "workspace"] | str
    """
    The scope. `org`: the whole organization. `workspace`: only the workspaces in workspaceIds.
    """
    approvals: ApprovalPermissions | None
    """
    The permissions of the key for approvals.
    """
    workspace_ids: list[str] | None = Field(..., alias="workspaceIds")
    """
    1 to 100 workspaces of the organization, for the scope `workspace`.
    """
    grants: list[str] | None
    """
    The granted permissions. Omit it to grant all permissions.
    """


class ApiKey(Model):
    id: str
    """
    The id.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    user_id: str = Field(..., alias="userId")
    """
    The user that the key acts for.
    """
    name: str
    """
    The name.
    """
    key_prefix: str = Field(..., alias="keyPrefix")
    """
    The first 8 characters of the key.
    """
    permissions: Permissions
    """
    The permissions of the key.
    """
    last_used_at: AwareDatetime | None = Field(..., alias="lastUsedAt")
    """
    When the key was last used, or null.
    """
    expires_at: AwareDatetime | None = Field(..., alias="expiresAt")
    """
    When it expires.
    """
    revoked_at: AwareDatetime | None = Field(..., alias="revokedAt")
    """
    When the key was revoked, or null.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """


class ApiKeyList(Model):
    api_keys: list[ApiKey] = Field(..., alias="apiKeys")
    """
    The API keys of the page.
    """
    total: int
    """
    The number of API keys.
    """


class CreatedApiKey(Model):
    api_key: ApiKey = Field(..., alias="apiKey")
    """
    The API key.
    """
    plain_key: str = Field(..., alias="plainKey")
    """
    The key: `svc_` and 46 characters. No other response contains it.
    """


class Grant(
    RootModel[
        Literal[
            "workspaces.read",
            "workspaces.write",
            "connections.read",
            "connections.write",
            "end_users.read",
            "end_users.write",
            "integrations.read",
            "integrations.write",
            "mcp.read",
            "mcp.write",
            "partials.read",
            "partials.write",
            "triggers.read",
            "triggers.write",
            "approvals.read",
            "approvals.write",
            "members.read",
            "members.write",
            "actions.execute",
            "api_keys.manage",
            "organization.write",
            "audit_log.view",
        ]
        | str
    ]
):
    root: (
        Literal[
            "workspaces.read",
            "workspaces.write",
            "connections.read",
            "connections.write",
            "end_users.read",
            "end_users.write",
            "integrations.read",
            "integrations.write",
            "mcp.read",
            "mcp.write",
            "partials.read",
            "partials.write",
            "triggers.read",
            "triggers.write",
            "approvals.read",
            "approvals.write",
            "members.read",
            "members.write",
            "actions.execute",
            "api_keys.manage",
            "organization.write",
            "audit_log.view",
        ]
        | str
    )


class Approvals(Model):
    """
    Allows the key to decide approval requests. Defaults to false.
    """

    decide: bool | None = None
    """
    Whether the key may decide approvals.
    """


class GivenPermissions(Model):
    scope: Literal["org", "workspace"] | str
    """
    The scope. `org`: the whole organization. `workspace`: only the workspaces in workspaceIds.
    """
    workspace_ids: list[Uuid] | None = Field(None, alias="workspaceIds")
    """
    1 to 100 workspaces of the organization. Only with the scope `workspace`.
    """
    grants: list[Grant] | None = None
    """
    The permissions of the key. Defaults to all permissions. `.write` of an area includes its `.read`.
    """
    approvals: Approvals | None = None
    """
    Allows the key to decide approval requests. Defaults to false.
    """


class CreateApiKeyBody(Model):
    name: str
    """
    The name.
    """
    expires_at: AwareDatetime | None = Field(None, alias="expiresAt")
    """
    When the key expires. If omitted, the key does not expire.
    """
    permissions: GivenPermissions | None = None
    """
    The permissions of the key.
    """


class UpdateApiKeyBody(Model):
    name: str | None = None
    """
    The name.
    """
    permissions: GivenPermissions | None = None
    """
    The permissions of the key.
    """


class ExecutedAction(Model):
    success: Literal[True]
    """
    Whether the action ran and succeeded.
    """
    output: dict[str, Any]
    """
    The output of the action.
    """
    duration: int
    """
    Milliseconds.
    """


class Retry(Model):
    """
    The idempotency key to send with the same call after the approval.
    """

    idempotency_key: str = Field(..., alias="idempotencyKey")
    """
    The idempotency key to send.
    """


class RequiredApproval(Model):
    id: str
    """
    The id of the approval, with the prefix `apr_`.
    """
    status: Literal["pending", "approved", "rejected", "expired", "canceled", "consumed"] | str
    """
    Always `pending`.
    """
    approval_url: str | None = Field(..., alias="approvalUrl")
    """
    The dashboard link for approvers who can sign in, or null if the policy only allows decisions by hosted link.
    """
    hosted_approval_url: str | None = Field(..., alias="hostedApprovalUrl")
    """
    The hosted link. Anyone with the link can decide. Null if the policy does not allow it.
    """
    expires_at: AwareDatetime = Field(..., alias="expiresAt")
    """
    When the request expires.
    """
    retry: Retry
    """
    The idempotency key to send with the same call after the approval.
    """


class ApprovalRequired(Model):
    """
    The response to a call that was not run because it needs approval first.
    """

    success: Literal[False]
    """
    Always false.
    """
    status: Literal["approval_required"]
    """
    Always `approval_required`.
    """
    approval: RequiredApproval
    """
    The approval.
    """


class ExecuteActionRequest(Model):
    integration_name: str = Field(..., alias="integrationName")
    """
    The name of the integration, such as `github`.
    """
    action_name: str = Field(..., alias="actionName")
    """
    The name of the action, such as `create_issue`.
    """
    input: dict[str, Any] | None = None
    """
    The input of the action. Defaults to {}. The applicable partials are merged beneath it key by key: later partials override earlier partials, the
    input overrides partials, and an enforced key overrides everything. If the merged value of a partial's key is null, the key is omitted.
    """
    connection_external_id: str | None = Field(None, alias="connectionExternalId")
    """
    Selects the connection directly. By default the configured integration selects it.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    workspace_integration_id: str | None = Field(None, alias="workspaceIntegrationId")
    """
    The id of the configured integration. Takes precedence over the alias.
    """
    integration_alias: str | None = Field(None, alias="integrationAlias")
    """
    The alias of the configured integration, used if workspaceIntegrationId is absent.
    """
    end_user_id: str | None = Field(None, alias="endUserId")
    """
    The externalId of the end user, for per-user connections and for the state of an end user.
    """
    partial_ids: list[str] | None = Field(None, alias="partialIds")
    """
    At most 10 partials of this configured integration and action. Later partials override earlier partials. Defaults to the default partials, oldest
    first. An empty list applies no partials.
    """
    idempotency_key: str | None = Field(None, alias="idempotencyKey")
    """
    The idempotency key. Also accepted as the header Idempotency-Key or X-Idempotency-Key.
    """


class Refusal(Model):
    """
    An error inside a response: the body of an error response with its status.
    """

    status: int
    """
    The HTTP status of the refusal.
    """
    error: str
    """
    The error message for people.
    """
    code: str
    """
    The error code, for programs.
    """
    details: dict[str, Any]
    """
    Details for programs.
    """


class ExplainedInstance(Model):
    id: str
    """
    The id.
    """
    alias: str
    """
    The alias of the configured integration, unique in its workspace.
    """
    connection_strategy: Literal["fixed", "per_user", "per_user_with_fallback"] | str = Field(..., alias="connectionStrategy")
    """
    The connection of a call: `fixed`, `per_user` or `per_user_with_fallback`.
    """
    reason: str
    """
    The reason why it is selected: named, only (the only instance of the integration) or default (its alias is the integration's name). Otherwise,
    the reason why it is not selected: not_named, not_default or ambiguous (no instance is selected).
    """


class ExplainedConnection(Model):
    id: str
    """
    The id.
    """
    scope: Literal["ORGANIZATION", "WORKSPACE", "USER"] | str
    """
    The scope: ORGANIZATION, WORKSPACE or USER.
    """
    status: Literal["ACTIVE", "ERROR"] | str
    """
    The status: ACTIVE or ERROR.
    """
    reason: str
    """
    The reason why it is used: named, fixed, own (the end user's) or fallback. The reason why the call does not consider it: not_named,
    not_configured, not_own or own_first (the end user has a connection). The reason why it cannot be used: suspended or error. The reason why
    another connection has precedence: farther (another connection has a narrower scope) or older.
    """


class ExplainedPartial(Model):
    id: str
    """
    The id.
    """
    name: str
    """
    The name.
    """
    reason: str
    """
    The reason why it applies: named or default. Otherwise, the reason why it does not apply: not_named, not_default or other_operation (it belongs
    to another action or a trigger).
    """


class LostCandidates(Model):
    instances: list[ExplainedInstance]
    """
    The configured integrations.
    """
    connections: list[ExplainedConnection]
    """
    The newest 30 connections each of the end user, the workspace and the organization.
    """
    partials: list[ExplainedPartial]
    """
    The input partials.
    """


class ExplainedPolicy(Model):
    id: str
    """
    The id.
    """
    decision: Literal["require_approval", "notify_only", "block", "auto_approve"] | str
    """
    The decision: block, require_approval, notify_only or auto_approve.
    """
    reasons: list[str]
    """
    The reasons why the policy matches.
    """


class ActionExplanation(Model):
    refusal: Refusal | None
    """
    The error with which the execution would fail before it runs. Null if it would run.
    """
    instance: ExplainedInstance | None
    """
    The selected configured integration. Null if the workspace has none, or several without a selection.
    """
    connection: ExplainedConnection | None
    """
    Null if the call needs no connection or fails.
    """
    partials: list[ExplainedPartial]
    """
    The partials that apply. Later partials override earlier partials.
    """
    settings: dict[str, Any] | None
    """
    The settings of the configured integration.
    """
    input: dict[str, Any] | None
    """
    The merged input of partials and the call, redacted. More than 16 kB or 32 levels are truncated to `{truncated: true, preview}`.
    """
    input_schema: dict[str, Any] | None = Field(..., alias="inputSchema")
    """
    A JSON Schema of the input that a call still has to provide. It omits keys that partials enforce. Keys with values from partials are
    optional.
    """
    lost: LostCandidates
    """
    The candidates that are not used, with the reasons.
    """
    policy: ExplainedPolicy | None
    """
    The policy that matches the call. Null if no policy matches, or if the call fails before policies are evaluated.
    """


class OrgRoleApprover(Model):
    """
    Every member with one of these roles.
    """

    type: Literal["org_role"]
    """
    Always `org_role`.
    """
    roles: list[Literal["owner", "admin", "member"] | str]
    """
    Every member with one of these roles.
    """


class DashboardUserApprover(Model):
    """
    These members of the organization, by user id.
    """

    type: Literal["dashboard_user"]
    """
    Always `dashboard_user`.
    """
    user_ids: list[str] = Field(..., alias="userIds")
    """
    These members of the organization, by user id.
    """


class EndUserApprover(Model):
    """
    The end user that the call runs for, in the connect portal.
    """

    type: Literal["end_user"]
    """
    Always `end_user`.
    """


class WebhookApprover(Model):
    """
    The public HTTPS URL that receives the lifecycle events.
    """

    type: Literal["webhook"]
    """
    Always `webhook`.
    """
    webhook_url: str = Field(..., alias="webhookUrl")
    """
    The public HTTPS URL that receives the lifecycle events.
    """


class GivenMcpCodeModeSettings(Model):
    approval_wait_seconds: int | None = Field(None, alias="approvalWaitSeconds")
    """
    The seconds that a continuation waits for an approval.
    """


class GivenMcpToolSettings(Model):
    discovery: Literal["list", "search"] | str | None = None
    """
    How agents find the tools of a server of mode TOOLS. list: tools/list returns all tools. search: tools/list returns svc_search and svc_call
    instead.
    """


class ConnectGetSessionResponse(Model):
    session: ConnectSession
    """
    The connect session.
    """


class ConnectionsGetResponse(Model):
    connection: Connection


class ConnectionsCreateResponse(Model):
    connection: Connection
    """
    The connection.
    """


class ConnectionsResolveResponse(Model):
    connection: Connection
    """
    The connection.
    """


class ConnectionsSuspendResponse(Model):
    connection: Connection
    """
    The connection.
    """


class ConnectionsResumeResponse(Model):
    connection: Connection
    """
    The connection.
    """


class IntegrationsGetResponse(Model):
    integration: Integration


class WorkspaceIntegrationsCreateResponse(Model):
    integration: WorkspaceIntegration
    """
    The configured integration.
    """


class WorkspaceIntegrationsUpdateResponse(Model):
    integration: WorkspaceIntegration
    """
    The configured integration.
    """


class EndUsersCreateResponse(Model):
    end_user: EndUser = Field(..., alias="endUser")
    """
    The end user.
    """


class EndUsersUpdateResponse(Model):
    end_user: EndUser = Field(..., alias="endUser")
    """
    The end user.
    """


class TriggersRedeliverResponse(Model):
    delivery: TriggerDelivery
    """
    The delivery.
    """


class McpServersGetResponse(Model):
    tools: list[McpTool]
    """
    The tools that were added to the server.
    """
    server: McpServer
    """
    The MCP server.
    """


class McpServersUpdateResponse(Model):
    server: McpServer
    """
    The MCP server.
    """


class McpServersSuspendResponse(Model):
    server: McpServer
    """
    The MCP server.
    """


class McpServersResumeResponse(Model):
    server: McpServer
    """
    The MCP server.
    """


class McpServersAddToolResponse(Model):
    tool: McpTool
    """
    The tool.
    """


class McpServersUpdateToolResponse(Model):
    tool: McpTool
    """
    The tool.
    """


class McpServersRegenerateBearerResponse(Model):
    mcp_endpoint: str = Field(..., alias="mcpEndpoint")
    """
    The URL that MCP clients connect to.
    """
    bearer_token: str = Field(..., alias="bearerToken")
    """
    The static bearer token. No other response contains it.
    """


class ApprovalsGetResponse(Model):
    approval: ShownApproval
    """
    The approval.
    """


class ApprovalsRedeliverWebhookResponse(Model):
    delivery: WebhookDelivery
    """
    The delivery.
    """


class ExecutionsGetResponse(Model):
    execution: Execution
    """
    The execution.
    """


class PartialsCreateResponse(Model):
    partial: InputPartial
    """
    The input partial.
    """


class PartialsGetResponse(Model):
    partial: InputPartial
    """
    The input partial.
    """


class PartialsUpdateResponse(Model):
    partial: InputPartial
    """
    The input partial.
    """


class PartialsSetDefaultResponse(Model):
    partial: InputPartial
    """
    The input partial.
    """


class WorkspacesCreateResponse(Model):
    workspace: Workspace
    """
    The workspace.
    """


class WorkspacesGetResponse(Model):
    workspace: Workspace
    """
    The workspace.
    """


class WorkspacesUpdateResponse(Model):
    workspace: Workspace
    """
    The workspace.
    """


class WorkspacesSuspendResponse(Model):
    workspace: Workspace
    """
    The workspace.
    """


class WorkspacesResumeResponse(Model):
    workspace: Workspace
    """
    The workspace.
    """


class OrganizationUpdateResponse(Model):
    organization: Organization
    """
    The organization.
    """


class MembersUpdateResponse(Model):
    member: Member
    """
    The member.
    """


class MembersAcceptInvitationResponse(Model):
    member: Member
    """
    The member.
    """


class MembersAddToWorkspaceResponse(Model):
    project_member: WorkspaceMember = Field(..., alias="projectMember")
    """
    The workspace member.
    """


class ApiKeysUpdateResponse(Model):
    api_key: ApiKey = Field(..., alias="apiKey")
    """
    The API key.
    """


class OauthAppsCreateResponse(Model):
    oauth_app: OAuthApp = Field(..., alias="oauthApp")
    """
    The OAuth app.
    """


class OauthAppsUpdateResponse(Model):
    oauth_app: OAuthApp = Field(..., alias="oauthApp")
    """
    The OAuth app.
    """


class ApprovalApprover(RootModel[OrgRoleApprover | DashboardUserApprover | EndUserApprover | WebhookApprover]):
    root: OrgRoleApprover | DashboardUserApprover | EndUserApprover | WebhookApprover
    """
    An approver of the policy.
    """


class ApprovalPolicy(Model):
    id: str
    """
    The id.
    """
    org_id: str = Field(..., alias="orgId")
    """
    The id of the organization.
    """
    workspace_id: str | None = Field(..., alias="workspaceId")
    """
    Null for the whole organization.
    """
    name: str
    """
    The name.
    """
    description: str | None
    """
    The description that people and models read.
    """
    enabled: bool
    """
    Whether the policy is evaluated.
    """
    priority: int
    """
    A policy with a lower number is evaluated first.
    """
    sources: list[Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"] | str]
    """
    Sources of calls that the policy covers. Empty: every source.
    """
    mcp_server_ids: list[str] = Field(..., alias="mcpServerIds")
    """
    MCP servers that the policy covers. Empty: every call, whatever its source.
    """
    workspace_integration_ids: list[str] = Field(..., alias="workspaceIntegrationIds")
    """
    Configured integrations that the policy covers. Empty: all of them.
    """
    integration_names: list[str] = Field(..., alias="integrationNames")
    """
    Integrations that the policy covers. Empty: every integration.
    """
    integration_aliases: list[str] = Field(..., alias="integrationAliases")
    """
    Aliases that the policy covers: of the call, or of the configured integration. Empty: every alias.
    """
    action_names: list[str] = Field(..., alias="actionNames")
    """
    Names of the actions that the policy covers. Empty: every action.
    """
    connection_strategies: list[Literal["fixed", "per_user", "per_user_with_fallback"] | str] = Field(..., alias="connectionStrategies")
    """
    Connection strategies that the policy covers. Empty: every strategy.
    """
    end_user_mode: Literal["any", "end_user_present", "no_end_user"] | str = Field(..., alias="endUserMode")
    """
    The end user mode: any, end_user_present or no_end_user.
    """
    decision: Literal["require_approval", "notify_only", "block", "auto_approve"] | str
    """
    The decision: require_approval, notify_only, block or auto_approve.
    """
    risk_mode: Literal["rules", "always", "model_assisted"] | str = Field(..., alias="riskMode")
    """
    The risk mode: rules, always or model_assisted.
    """
    rules: dict[str, Any]
    """
    The rules: any that matches gives a reason.
    """
    approvers: list[ApprovalApprover]
    """
    The approvers and webhooks that are notified and can decide.
    """
    timeout_seconds: int = Field(..., alias="timeoutSeconds")
    """
    How long a request can be decided, in seconds.
    """
    default_on_timeout: Literal["reject", "expire"] | str = Field(..., alias="defaultOnTimeout")
    """
    The default on timeout: reject or expire.
    """
    reuse_window_seconds: int | None = Field(..., alias="reuseWindowSeconds")
    """
    How long an identical call runs under an earlier approval, in seconds.
    """
    approval_access_mode: Literal["dashboard_only", "dashboard_and_hosted_link", "hosted_link_only"] | str = Field(..., alias="approvalAccessMode")
    """
    Where requests can be decided: dashboard_only, dashboard_and_hosted_link or hosted_link_only.
    """
    metadata: dict[str, Any] | None
    """
    Your own keys and values.
    """
    created_at: AwareDatetime = Field(..., alias="createdAt")
    """
    When it was created.
    """
    updated_at: AwareDatetime = Field(..., alias="updatedAt")
    """
    When it was last changed.
    """


class ApprovalPolicyList(Model):
    policies: list[ApprovalPolicy]
    """
    The policies of the page.
    """
    total: int
    """
    The number of items on all pages.
    """


class CreateApprovalPolicyRequest(Model):
    """
    Filters and lists have at most 100 entries of 255 characters each. Filters, rules and approvers together have at most 64 kB as JSON.
    """

    name: str
    """
    The name.
    """
    workspace_id: str | None = Field(None, alias="workspaceId")
    """
    Omit it, or set null, for the whole organization.
    """
    description: str | None = None
    """
    The description that people and models read.
    """
    enabled: bool | None = None
    """
    Whether the policy is evaluated.
    """
    priority: int | None = None
    """
    The matching policy with the lowest number applies.
    """
    sources: list[Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"] | str] | None = ["rest", "sdk", "mcp_tools", "mcp_code"]
    """
    Sources: rest, sdk, mcp_tools, mcp_code, playground, trigger. As for all filters, an empty list matches every call.
    """
    mcp_server_ids: list[str] | None = Field(None, alias="mcpServerIds")
    """
    MCP servers that the policy covers. Empty: every call, whatever its source.
    """
    workspace_integration_ids: list[str] | None = Field(None, alias="workspaceIntegrationIds")
    """
    Configured integrations that the policy covers. Empty: all of them.
    """
    integration_names: list[str] | None = Field(None, alias="integrationNames")
    """
    Integrations that the policy covers. Empty: every integration.
    """
    integration_aliases: list[str] | None = Field(None, alias="integrationAliases")
    """
    Aliases that the policy covers: of the call, or of the configured integration. Empty: every alias.
    """
    action_names: list[str] | None = Field(None, alias="actionNames")
    """
    Names of the actions that the policy covers. Empty: every action.
    """
    connection_strategies: list[Literal["fixed", "per_user", "per_user_with_fallback"] | str] | None = Field(None, alias="connectionStrategies")
    """
    Connection strategies: fixed, per_user, per_user_with_fallback. A call without a configured integration counts as fixed, because it specifies its
    connection.
    """
    end_user_mode: Literal["any", "end_user_present", "no_end_user"] | str | None = Field(None, alias="endUserMode")
    """
    The calls that the policy covers, by end user.
    """
    decision: Literal["require_approval", "notify_only", "block", "auto_approve"] | str | None = None
    """
    The decision for a matching call.
    """
    risk_mode: Literal["rules", "always", "model_assisted"] | str | None = Field(None, alias="riskMode")
    """
    The risk mode: rules; always, which ignores the rules; or model_assisted, which evaluates the operator's model if no rule matches, and treats an
    unavailable model as a match.
    """
    rules: ApprovalRules | None = None
    """
    The rules: any that matches gives a reason.
    """
    approvers: list[ApprovalApprover] | None = None
    """
    The approvers and webhooks that are notified and can decide.
    """
    timeout_seconds: int | None = Field(None, alias="timeoutSeconds")
    """
    The seconds until a pending request expires.
    """
    default_on_timeout: Literal["reject", "expire"] | str | None = Field(None, alias="defaultOnTimeout")
    """
    reject: retries are rejected for the same duration again. expire: a retry opens a new request.
    """
    reuse_window_seconds: int | None = Field(None, alias="reuseWindowSeconds")
    """
    The number of seconds during which an approval also covers identical calls. Omit it, or set null, to cover only one retry.
    """
    approval_access_mode: Literal["dashboard_only", "dashboard_and_hosted_link", "hosted_link_only"] | str | None = Field(
        None, alias="approvalAccessMode"
    )
    """
    The place of decisions: in the dashboard, by a hosted link, or both.
    """
    metadata: dict[str, Any] | None = None
    """
    At most 50 keys and 16 kB as JSON.
    """


class ApprovalPolicyChanges(Model):
    name: str | None = None
    """
    The name.
    """
    workspace_id: str | None = Field(None, alias="workspaceId")
    """
    Null for the whole organization.
    """
    description: str | None = None
    """
    The description that people and models read.
    """
    enabled: bool | None = None
    """
    Whether the policy is evaluated.
    """
    priority: int | None = None
    """
    A policy with a lower number is evaluated first.
    """
    sources: list[Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"] | str] | None = None
    """
    Replaces the whole list. The same applies to all other filters.
    """
    mcp_server_ids: list[str] | None = Field(None, alias="mcpServerIds")
    """
    MCP servers that the policy covers. Empty: every call, whatever its source.
    """
    workspace_integration_ids: list[str] | None = Field(None, alias="workspaceIntegrationIds")
    """
    Configured integrations that the policy covers. Empty: all of them.
    """
    integration_names: list[str] | None = Field(None, alias="integrationNames")
    """
    Integrations that the policy covers. Empty: every integration.
    """
    integration_aliases: list[str] | None = Field(None, alias="integrationAliases")
    """
    Aliases that the policy covers: of the call, or of the configured integration. Empty: every alias.
    """
    action_names: list[str] | None = Field(None, alias="actionNames")
    """
    Names of the actions that the policy covers. Empty: every action.
    """
    connection_strategies: list[Literal["fixed", "per_user", "per_user_with_fallback"] | str] | None = Field(None, alias="connectionStrategies")
    """
    Connection strategies that the policy covers. Empty: every strategy.
    """
    end_user_mode: Literal["any", "end_user_present", "no_end_user"] | str | None = Field(None, alias="endUserMode")
    """
    The calls that the policy covers, by end user.
    """
    decision: Literal["require_approval", "notify_only", "block", "auto_approve"] | str | None = None
    """
    The decision for a matching call.
    """
    risk_mode: Literal["rules", "always", "model_assisted"] | str | None = Field(None, alias="riskMode")
    """
    How the policy detects risk: `rules`, `always` or `model_assisted`.
    """
    rules: ApprovalRules | None = None
    """
    Replaces the whole list.
    """
    approvers: list[ApprovalApprover] | None = None
    """
    Replaces the whole list.
    """
    timeout_seconds: int | None = Field(None, alias="timeoutSeconds")
    """
    How long a request can be decided, in seconds.
    """
    default_on_timeout: Literal["reject", "expire"] | str | None = Field(None, alias="defaultOnTimeout")
    """
    The outcome of a retry after the request expired: `reject` or `expire`.
    """
    reuse_window_seconds: int | None = Field(None, alias="reuseWindowSeconds")
    """
    How long an identical call runs under an earlier approval, in seconds.
    """
    approval_access_mode: Literal["dashboard_only", "dashboard_and_hosted_link", "hosted_link_only"] | str | None = Field(
        None, alias="approvalAccessMode"
    )
    """
    The place of decisions: in the dashboard, by a hosted link, or both.
    """
    metadata: dict[str, Any] | None = None
    """
    Null removes it. At most 50 keys and 16 kB as JSON.
    """


class TestApprovalPolicyBody(Model):
    policy: ApprovalPolicyChanges
    """
    The policy as for a create request. The name is optional.
    """
    context: ApprovalTestContext
    """
    The call to test the policy against.
    """


class GivenMcpServerSettings(Model):
    code_mode: GivenMcpCodeModeSettings | None = Field(None, alias="codeMode")
    """
    The settings of Code Mode.
    """
    tools: GivenMcpToolSettings | None = None
    """
    The settings of the tool list.
    """


class ApprovalPoliciesCreateResponse(Model):
    policy: ApprovalPolicy
    """
    The policy.
    """


class ApprovalPoliciesGetResponse(Model):
    policy: ApprovalPolicy
    """
    The policy.
    """


class ApprovalPoliciesUpdateResponse(Model):
    policy: ApprovalPolicy
    """
    The policy.
    """


class CreateMcpServerRequest(Model):
    name: str
    """
    The name.
    """
    description: str | None = None
    """
    The description that people and models read.
    """
    workspace_id: str = Field(..., alias="workspaceId")
    """
    The id of the workspace.
    """
    mode: Literal["TOOLS", "CODE"] | str | None = None
    """
    The mode. TOOLS: each action is a tool. CODE: the tools find actions and run code that calls them.
    """
    settings: GivenMcpServerSettings | None = None
    """
    The settings of the server.
    """
    auth_mode: Literal["oauth", "bearer", "oauth_and_bearer"] | str | None = Field(None, alias="authMode")
    """
    How agents authenticate: `oauth`, `bearer` or `oauth_and_bearer`.
    """
    end_user_access: Literal["restricted", "open"] | str | None = Field(None, alias="endUserAccess")
    """
    The access of end users. restricted: only end users of the workspace. open: everyone who signs in.
    """
    created_by: str | None = Field(None, alias="createdBy")
    """
    A label of the creator of the server.
    """
    end_user_id: str | None = Field(None, alias="endUserId")
    """
    The externalId of the only end user of the server.
    """


class McpServerChanges(Model):
    name: str | None = None
    """
    The name.
    """
    description: str | None = None
    """
    Null removes it.
    """
    mode: Literal["TOOLS", "CODE"] | str | None = None
    """
    The tools for agents: `TOOLS` (each action is a tool) or `CODE` (one tool that runs code).
    """
    settings: GivenMcpServerSettings | None = None
    """
    The settings. Omitted fields are reset to their defaults.
    """
    auth_mode: Literal["oauth", "bearer", "oauth_and_bearer"] | str | None = Field(None, alias="authMode")
    """
    How agents authenticate: `oauth`, `bearer` or `oauth_and_bearer`.
    """
    end_user_access: Literal["restricted", "open"] | str | None = Field(None, alias="endUserAccess")
    """
    The access of end users to authorization: `restricted` (existing end users) or `open` (everyone who signs in).
    """
    end_user_id: str | None = Field(None, alias="endUserId")
    """
    Null for all end users of the workspace.
    """
