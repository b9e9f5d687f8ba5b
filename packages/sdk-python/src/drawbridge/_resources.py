# Generated from the OpenAPI document: change services/gateway or packages/sdk-typescript/generate/resources.mjs.
from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Literal

from . import models
from ._pages import AsyncPages, Pages
from ._request import OMIT, Omit, Request, RequestOptions, to_path
from ._streams import Event
from ._transport import AsyncTransport, SyncTransport


class Actions:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def execute(
        self,
        *,
        integration_name: str,
        action_name: str,
        workspace_id: str,
        input: Mapping[str, Any] | Omit = OMIT,
        connection_external_id: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        idempotency_key: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ExecutedAction | models.ApprovalRequired:
        """Execute an action: `POST /api/v1/actions/execute`.

        Runs one action. With an idempotency key the action runs once: a repeated request within 24 hours gets the stored response. If an
        approval policy matches, nothing runs and the response is 202. After the approval, send the same body with the idempotency key from the
        response: the action then runs once.

        :param integration_name: The name of the integration, such as `github`.
        :param action_name: The name of the action, such as `create_issue`.
        :param workspace_id: The id of the workspace.
        :param input: The input of the action. Defaults to {}. The applicable partials are merged beneath it key by key: later partials override earlier partials, the input overrides partials, and an enforced key overrides everything. If the merged value of a partial's key is null, the key is omitted.
        :param connection_external_id: Selects the connection directly. By default the configured integration selects it.
        :param workspace_integration_id: The id of the configured integration. Takes precedence over the alias.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param end_user_id: The externalId of the end user, for per-user connections and for the state of an end user.
        :param partial_ids: At most 10 partials of this configured integration and action. Later partials override earlier partials. Defaults to the default partials, oldest first. An empty list applies no partials.
        :param idempotency_key: The idempotency key. Also accepted as the header Idempotency-Key or X-Idempotency-Key.

        Fails with `ACTION_FAILED`, `CONNECTION_REQUIRED`, `CONNECTION_NOT_FOUND`, `INTEGRATION_NOT_FOUND`, `QUOTA_EXCEEDED`, `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.ExecutedAction | models.ApprovalRequired] = Request(
            "POST",
            "/api/v1/actions/execute",
            body={
                "integrationName": integration_name,
                "actionName": action_name,
                "workspaceId": workspace_id,
                "input": input,
                "connectionExternalId": connection_external_id,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "endUserId": end_user_id,
                "partialIds": partial_ids,
                "idempotencyKey": idempotency_key,
            },
            returns={200: models.ExecutedAction, 202: models.ApprovalRequired},
            takes_long=True,
        )
        return self._transport.send(request, options)

    def explain(
        self,
        *,
        integration_name: str,
        action_name: str,
        workspace_id: str,
        input: Mapping[str, Any] | Omit = OMIT,
        connection_external_id: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        idempotency_key: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ActionExplanation:
        """Explain an action: `POST /api/v1/actions/explain`.

        Returns what an execution with this body would use, and why it uses no other candidate. It runs nothing, opens no connection and stores no
        idempotency key. An unknown workspace, integration, action, configured integration or partial is rejected as by `execute`. Every other error of
        the execution is returned in `refusal`: an ambiguous configured integration, an action that is not enabled, invalid input, a missing connection.
        Quotas and the provider are not checked.

        :param integration_name: The name of the integration, such as `github`.
        :param action_name: The name of the action, such as `create_issue`.
        :param workspace_id: The id of the workspace.
        :param input: The input of the action. Defaults to {}. The applicable partials are merged beneath it key by key: later partials override earlier partials, the input overrides partials, and an enforced key overrides everything. If the merged value of a partial's key is null, the key is omitted.
        :param connection_external_id: Selects the connection directly. By default the configured integration selects it.
        :param workspace_integration_id: The id of the configured integration. Takes precedence over the alias.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param end_user_id: The externalId of the end user, for per-user connections and for the state of an end user.
        :param partial_ids: At most 10 partials of this configured integration and action. Later partials override earlier partials. Defaults to the default partials, oldest first. An empty list applies no partials.
        :param idempotency_key: The idempotency key. Also accepted as the header Idempotency-Key or X-Idempotency-Key.

        Fails with `INTEGRATION_NOT_FOUND`, `NOT_FOUND`.
        """
        request: Request[models.ActionExplanation] = Request(
            "POST",
            "/api/v1/actions/explain",
            body={
                "integrationName": integration_name,
                "actionName": action_name,
                "workspaceId": workspace_id,
                "input": input,
                "connectionExternalId": connection_external_id,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "endUserId": end_user_id,
                "partialIds": partial_ids,
                "idempotencyKey": idempotency_key,
            },
            returns={200: models.ActionExplanation},
        )
        return self._transport.send(request, options)


class AsyncActions:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def execute(
        self,
        *,
        integration_name: str,
        action_name: str,
        workspace_id: str,
        input: Mapping[str, Any] | Omit = OMIT,
        connection_external_id: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        idempotency_key: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ExecutedAction | models.ApprovalRequired:
        """Execute an action: `POST /api/v1/actions/execute`.

        Runs one action. With an idempotency key the action runs once: a repeated request within 24 hours gets the stored response. If an
        approval policy matches, nothing runs and the response is 202. After the approval, send the same body with the idempotency key from the
        response: the action then runs once.

        :param integration_name: The name of the integration, such as `github`.
        :param action_name: The name of the action, such as `create_issue`.
        :param workspace_id: The id of the workspace.
        :param input: The input of the action. Defaults to {}. The applicable partials are merged beneath it key by key: later partials override earlier partials, the input overrides partials, and an enforced key overrides everything. If the merged value of a partial's key is null, the key is omitted.
        :param connection_external_id: Selects the connection directly. By default the configured integration selects it.
        :param workspace_integration_id: The id of the configured integration. Takes precedence over the alias.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param end_user_id: The externalId of the end user, for per-user connections and for the state of an end user.
        :param partial_ids: At most 10 partials of this configured integration and action. Later partials override earlier partials. Defaults to the default partials, oldest first. An empty list applies no partials.
        :param idempotency_key: The idempotency key. Also accepted as the header Idempotency-Key or X-Idempotency-Key.

        Fails with `ACTION_FAILED`, `CONNECTION_REQUIRED`, `CONNECTION_NOT_FOUND`, `INTEGRATION_NOT_FOUND`, `QUOTA_EXCEEDED`, `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.ExecutedAction | models.ApprovalRequired] = Request(
            "POST",
            "/api/v1/actions/execute",
            body={
                "integrationName": integration_name,
                "actionName": action_name,
                "workspaceId": workspace_id,
                "input": input,
                "connectionExternalId": connection_external_id,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "endUserId": end_user_id,
                "partialIds": partial_ids,
                "idempotencyKey": idempotency_key,
            },
            returns={200: models.ExecutedAction, 202: models.ApprovalRequired},
            takes_long=True,
        )
        return await self._transport.send(request, options)

    async def explain(
        self,
        *,
        integration_name: str,
        action_name: str,
        workspace_id: str,
        input: Mapping[str, Any] | Omit = OMIT,
        connection_external_id: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        idempotency_key: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ActionExplanation:
        """Explain an action: `POST /api/v1/actions/explain`.

        Returns what an execution with this body would use, and why it uses no other candidate. It runs nothing, opens no connection and stores no
        idempotency key. An unknown workspace, integration, action, configured integration or partial is rejected as by `execute`. Every other error of
        the execution is returned in `refusal`: an ambiguous configured integration, an action that is not enabled, invalid input, a missing connection.
        Quotas and the provider are not checked.

        :param integration_name: The name of the integration, such as `github`.
        :param action_name: The name of the action, such as `create_issue`.
        :param workspace_id: The id of the workspace.
        :param input: The input of the action. Defaults to {}. The applicable partials are merged beneath it key by key: later partials override earlier partials, the input overrides partials, and an enforced key overrides everything. If the merged value of a partial's key is null, the key is omitted.
        :param connection_external_id: Selects the connection directly. By default the configured integration selects it.
        :param workspace_integration_id: The id of the configured integration. Takes precedence over the alias.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param end_user_id: The externalId of the end user, for per-user connections and for the state of an end user.
        :param partial_ids: At most 10 partials of this configured integration and action. Later partials override earlier partials. Defaults to the default partials, oldest first. An empty list applies no partials.
        :param idempotency_key: The idempotency key. Also accepted as the header Idempotency-Key or X-Idempotency-Key.

        Fails with `INTEGRATION_NOT_FOUND`, `NOT_FOUND`.
        """
        request: Request[models.ActionExplanation] = Request(
            "POST",
            "/api/v1/actions/explain",
            body={
                "integrationName": integration_name,
                "actionName": action_name,
                "workspaceId": workspace_id,
                "input": input,
                "connectionExternalId": connection_external_id,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "endUserId": end_user_id,
                "partialIds": partial_ids,
                "idempotencyKey": idempotency_key,
            },
            returns={200: models.ActionExplanation},
        )
        return await self._transport.send(request, options)


class Connect:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def create_token(
        self,
        *,
        integration_name: str,
        connection_name: str,
        external_id: str,
        workspace_id: str,
        end_user_id: str | Omit = OMIT,
        scope: str | Omit = OMIT,
        oauth_app_id: str | Omit = OMIT,
        success_redirect_uri: str | Omit = OMIT,
        error_redirect_uri: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ConnectLink:
        """Create a connect link: `POST /api/v1/connect/token`.

        Creates a link to a page on which a user connects an account. The link is valid for 4 hours. No other response contains the token.

        :param integration_name: The name of the integration, such as `github`.
        :param connection_name: The display name of the connection.
        :param external_id: The externalId of the connection. An existing connection with this externalId and the same owner is reconnected and keeps its id.
        :param workspace_id: The id of the workspace.
        :param end_user_id: The externalId of the end user.
        :param scope: The scope: ORGANIZATION (default), WORKSPACE or USER (requires endUserId).
        :param oauth_app_id: Defaults to the default OAuth app.
        :param success_redirect_uri: The URL of the redirect after success, with `status` and `connection_id` in the query.
        :param error_redirect_uri: The URL of the redirect after a failure, with `status` and `error` in the query.

        Fails with `NO_OAUTH_APP`, `CUSTOM_OAUTH_APP_PLAN_REQUIRED`, `NOT_FOUND`, `INTEGRATION_NOT_FOUND`, `OAUTH_APP_NOT_FOUND`, `TENANT_OAUTH_APP_REQUIRED`.
        """
        request: Request[models.ConnectLink] = Request(
            "POST",
            "/api/v1/connect/token",
            body={
                "integrationName": integration_name,
                "connectionName": connection_name,
                "externalId": external_id,
                "workspaceId": workspace_id,
                "endUserId": end_user_id,
                "scope": scope,
                "oauthAppId": oauth_app_id,
                "successRedirectUri": success_redirect_uri,
                "errorRedirectUri": error_redirect_uri,
            },
            returns={200: models.ConnectLink},
        )
        return self._transport.send(request, options)

    def get_session(
        self,
        session_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ConnectGetSessionResponse:
        """Get a connect session: `GET /api/v1/connect/session/{sessionId}`.

        Returns the state of a connect session. A session of another organization fails with FORBIDDEN.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ConnectGetSessionResponse] = Request(
            "GET", to_path("/api/v1/connect/session/{sessionId}", session_id), returns={200: models.ConnectGetSessionResponse}
        )
        return self._transport.send(request, options)

    def poll_session(
        self,
        *,
        token: str,
        options: RequestOptions | None = None,
    ) -> models.ConnectOutcome:
        """Poll a connect session: `POST /api/v1/connect/session/poll`.

        Returns the state of the connect session of a token. Public, because the token identifies the session until it expires.

        :param token: The connect token (`cst_…`).

        Fails with `MISSING_TOKEN`, `INVALID_TOKEN`.
        """
        request: Request[models.ConnectOutcome] = Request(
            "POST", "/api/v1/connect/session/poll", body={"token": token}, returns={200: models.ConnectOutcome}
        )
        return self._transport.send(request, options)


class AsyncConnect:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create_token(
        self,
        *,
        integration_name: str,
        connection_name: str,
        external_id: str,
        workspace_id: str,
        end_user_id: str | Omit = OMIT,
        scope: str | Omit = OMIT,
        oauth_app_id: str | Omit = OMIT,
        success_redirect_uri: str | Omit = OMIT,
        error_redirect_uri: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ConnectLink:
        """Create a connect link: `POST /api/v1/connect/token`.

        Creates a link to a page on which a user connects an account. The link is valid for 4 hours. No other response contains the token.

        :param integration_name: The name of the integration, such as `github`.
        :param connection_name: The display name of the connection.
        :param external_id: The externalId of the connection. An existing connection with this externalId and the same owner is reconnected and keeps its id.
        :param workspace_id: The id of the workspace.
        :param end_user_id: The externalId of the end user.
        :param scope: The scope: ORGANIZATION (default), WORKSPACE or USER (requires endUserId).
        :param oauth_app_id: Defaults to the default OAuth app.
        :param success_redirect_uri: The URL of the redirect after success, with `status` and `connection_id` in the query.
        :param error_redirect_uri: The URL of the redirect after a failure, with `status` and `error` in the query.

        Fails with `NO_OAUTH_APP`, `CUSTOM_OAUTH_APP_PLAN_REQUIRED`, `NOT_FOUND`, `INTEGRATION_NOT_FOUND`, `OAUTH_APP_NOT_FOUND`, `TENANT_OAUTH_APP_REQUIRED`.
        """
        request: Request[models.ConnectLink] = Request(
            "POST",
            "/api/v1/connect/token",
            body={
                "integrationName": integration_name,
                "connectionName": connection_name,
                "externalId": external_id,
                "workspaceId": workspace_id,
                "endUserId": end_user_id,
                "scope": scope,
                "oauthAppId": oauth_app_id,
                "successRedirectUri": success_redirect_uri,
                "errorRedirectUri": error_redirect_uri,
            },
            returns={200: models.ConnectLink},
        )
        return await self._transport.send(request, options)

    async def get_session(
        self,
        session_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ConnectGetSessionResponse:
        """Get a connect session: `GET /api/v1/connect/session/{sessionId}`.

        Returns the state of a connect session. A session of another organization fails with FORBIDDEN.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ConnectGetSessionResponse] = Request(
            "GET", to_path("/api/v1/connect/session/{sessionId}", session_id), returns={200: models.ConnectGetSessionResponse}
        )
        return await self._transport.send(request, options)

    async def poll_session(
        self,
        *,
        token: str,
        options: RequestOptions | None = None,
    ) -> models.ConnectOutcome:
        """Poll a connect session: `POST /api/v1/connect/session/poll`.

        Returns the state of the connect session of a token. Public, because the token identifies the session until it expires.

        :param token: The connect token (`cst_…`).

        Fails with `MISSING_TOKEN`, `INVALID_TOKEN`.
        """
        request: Request[models.ConnectOutcome] = Request(
            "POST", "/api/v1/connect/session/poll", body={"token": token}, returns={200: models.ConnectOutcome}
        )
        return await self._transport.send(request, options)


class Connections:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        include_suspended: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.ConnectionList, models.Connection]:
        """List connections: `GET /api/v1/connections`.

        Lists connections, or returns the connection with `id`. The response contains no credentials.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        :param include_suspended: Includes suspended connections.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ConnectionList] = Request(
            "GET",
            "/api/v1/connections",
            query={"limit": limit, "offset": offset, "includeSuspended": include_suspended},
            returns={200: models.ConnectionList},
        )
        return self._transport.pages(request, options, models.Connection, "connections")

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ConnectionsGetResponse:
        """List connections: `GET /api/v1/connections`.

        Lists connections, or returns the connection with `id`. The response contains no credentials.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ConnectionsGetResponse] = Request(
            "GET", "/api/v1/connections", query={"id": id}, returns={200: models.ConnectionsGetResponse}
        )
        return self._transport.send(request, options)

    def create(
        self,
        *,
        type: str,
        external_id: str,
        display_name: str,
        integration_name: str,
        workspace_id: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        scope: str | Omit = OMIT,
        oauth_app_id: str | Omit = OMIT,
        secret_text: str | Omit = OMIT,
        username: str | Omit = OMIT,
        password: str | Omit = OMIT,
        props: Mapping[str, Any] | Omit = OMIT,
        access_token: str | Omit = OMIT,
        refresh_token: str | Omit = OMIT,
        token_type: str | Omit = OMIT,
        expires_in: int | Omit = OMIT,
        scope_oauth: str | Omit = OMIT,
        data: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ConnectionsCreateResponse:
        """Create a connection: `POST /api/v1/connections`.

        Stores a credential as a connection.

        :param type: The connection type: SECRET_TEXT, BASIC_AUTH, CUSTOM_AUTH, OAUTH2 or PLATFORM_OAUTH2.
        :param external_id: Your own id for it.
        :param display_name: The name that people read.
        :param integration_name: The name of the integration, such as `github`.
        :param workspace_id: The id of the workspace.
        :param end_user_id: The externalId of the end user. With workspaceId, an unknown end user is created.
        :param scope: The scope: ORGANIZATION (default), WORKSPACE (requires workspaceId) or USER (requires workspaceId and endUserId).
        :param oauth_app_id: Defaults to the default OAuth app.
        :param secret_text: For SECRET_TEXT.
        :param username: For BASIC_AUTH.
        :param password: For BASIC_AUTH.
        :param props: For CUSTOM_AUTH. At most 100 values; a credential has at most 64 kB.
        :param access_token: For OAUTH2 and PLATFORM_OAUTH2.
        :param refresh_token: The refresh token, from which access tokens are obtained.
        :param token_type: The token type. Defaults to Bearer.
        :param expires_in: The lifetime in seconds.
        :param scope_oauth: The granted scopes.
        :param data: Other fields of the provider's token response. At most 100 values.

        Fails with `QUOTA_EXCEEDED`, `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.ConnectionsCreateResponse] = Request(
            "POST",
            "/api/v1/connections",
            body={
                "type": type,
                "externalId": external_id,
                "displayName": display_name,
                "integrationName": integration_name,
                "workspaceId": workspace_id,
                "endUserId": end_user_id,
                "scope": scope,
                "oauthAppId": oauth_app_id,
                "secretText": secret_text,
                "username": username,
                "password": password,
                "props": props,
                "accessToken": access_token,
                "refreshToken": refresh_token,
                "tokenType": token_type,
                "expiresIn": expires_in,
                "scope_oauth": scope_oauth,
                "data": data,
            },
            returns={201: models.ConnectionsCreateResponse},
        )
        return self._transport.send(request, options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete a connection: `DELETE /api/v1/connections/{id}`.

        Deletes a connection and its credential. References to it become null.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/connections/{id}", id), returns={200: models.Deleted})
        return self._transport.send(request, options)

    def resolve(
        self,
        *,
        integration_name: str,
        workspace_id: str,
        external_id: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ConnectionsResolveResponse:
        """Resolve a connection: `POST /api/v1/connections/resolve`.

        Returns the connection that a call for this integration, workspace and end user would use.

        :param integration_name: The name of the integration, such as `github`.
        :param workspace_id: The id of the workspace.
        :param external_id: Your own id for it.
        :param end_user_id: The externalId of the end user.

        Fails with `NOT_FOUND`, `CONNECTION_NOT_FOUND`.
        """
        request: Request[models.ConnectionsResolveResponse] = Request(
            "POST",
            "/api/v1/connections/resolve",
            body={"integrationName": integration_name, "workspaceId": workspace_id, "externalId": external_id, "endUserId": end_user_id},
            returns={200: models.ConnectionsResolveResponse},
        )
        return self._transport.send(request, options)

    def create_reconnect_token(
        self,
        id: str,
        *,
        workspace_id: str,
        oauth_app_id: str | Omit = OMIT,
        success_redirect_uri: str | Omit = OMIT,
        error_redirect_uri: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ConnectLink:
        """Create a reconnect link: `POST /api/v1/connections/{id}/reconnect`.

        Creates a link to a page on which a user connects the same account again. The connection keeps its id and becomes ACTIVE.

        :param workspace_id: The workspace of the connection, unless its scope is ORGANIZATION.
        :param oauth_app_id: The id of the OAuth app that the authorization uses.
        :param success_redirect_uri: The URL of the redirect after success.
        :param error_redirect_uri: The URL of the redirect after the user cancels or the provider refuses.

        Fails with `NO_OAUTH_APP`, `CUSTOM_OAUTH_APP_PLAN_REQUIRED`, `NOT_FOUND`, `OAUTH_APP_NOT_FOUND`, `TENANT_OAUTH_APP_REQUIRED`.
        """
        request: Request[models.ConnectLink] = Request(
            "POST",
            to_path("/api/v1/connections/{id}/reconnect", id),
            body={
                "workspaceId": workspace_id,
                "oauthAppId": oauth_app_id,
                "successRedirectUri": success_redirect_uri,
                "errorRedirectUri": error_redirect_uri,
            },
            returns={200: models.ConnectLink},
        )
        return self._transport.send(request, options)

    def suspend(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ConnectionsSuspendResponse:
        """Suspend a connection: `POST /api/v1/connections/{id}/suspend`.

        Suspends a connection: no call uses it until it is resumed. It can be read and deleted, and is listed with `includeSuspended`.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ConnectionsSuspendResponse] = Request(
            "POST", to_path("/api/v1/connections/{id}/suspend", id), returns={200: models.ConnectionsSuspendResponse}
        )
        return self._transport.send(request, options)

    def resume(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ConnectionsResumeResponse:
        """Resume a connection: `POST /api/v1/connections/{id}/resume`.

        Resumes a suspended connection.

        Fails with `QUOTA_EXCEEDED`, `NOT_FOUND`.
        """
        request: Request[models.ConnectionsResumeResponse] = Request(
            "POST", to_path("/api/v1/connections/{id}/resume", id), returns={200: models.ConnectionsResumeResponse}
        )
        return self._transport.send(request, options)


class AsyncConnections:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        include_suspended: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.ConnectionList, models.Connection]:
        """List connections: `GET /api/v1/connections`.

        Lists connections, or returns the connection with `id`. The response contains no credentials.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        :param include_suspended: Includes suspended connections.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ConnectionList] = Request(
            "GET",
            "/api/v1/connections",
            query={"limit": limit, "offset": offset, "includeSuspended": include_suspended},
            returns={200: models.ConnectionList},
        )
        return await self._transport.pages(request, options, models.Connection, "connections")

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ConnectionsGetResponse:
        """List connections: `GET /api/v1/connections`.

        Lists connections, or returns the connection with `id`. The response contains no credentials.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ConnectionsGetResponse] = Request(
            "GET", "/api/v1/connections", query={"id": id}, returns={200: models.ConnectionsGetResponse}
        )
        return await self._transport.send(request, options)

    async def create(
        self,
        *,
        type: str,
        external_id: str,
        display_name: str,
        integration_name: str,
        workspace_id: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        scope: str | Omit = OMIT,
        oauth_app_id: str | Omit = OMIT,
        secret_text: str | Omit = OMIT,
        username: str | Omit = OMIT,
        password: str | Omit = OMIT,
        props: Mapping[str, Any] | Omit = OMIT,
        access_token: str | Omit = OMIT,
        refresh_token: str | Omit = OMIT,
        token_type: str | Omit = OMIT,
        expires_in: int | Omit = OMIT,
        scope_oauth: str | Omit = OMIT,
        data: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ConnectionsCreateResponse:
        """Create a connection: `POST /api/v1/connections`.

        Stores a credential as a connection.

        :param type: The connection type: SECRET_TEXT, BASIC_AUTH, CUSTOM_AUTH, OAUTH2 or PLATFORM_OAUTH2.
        :param external_id: Your own id for it.
        :param display_name: The name that people read.
        :param integration_name: The name of the integration, such as `github`.
        :param workspace_id: The id of the workspace.
        :param end_user_id: The externalId of the end user. With workspaceId, an unknown end user is created.
        :param scope: The scope: ORGANIZATION (default), WORKSPACE (requires workspaceId) or USER (requires workspaceId and endUserId).
        :param oauth_app_id: Defaults to the default OAuth app.
        :param secret_text: For SECRET_TEXT.
        :param username: For BASIC_AUTH.
        :param password: For BASIC_AUTH.
        :param props: For CUSTOM_AUTH. At most 100 values; a credential has at most 64 kB.
        :param access_token: For OAUTH2 and PLATFORM_OAUTH2.
        :param refresh_token: The refresh token, from which access tokens are obtained.
        :param token_type: The token type. Defaults to Bearer.
        :param expires_in: The lifetime in seconds.
        :param scope_oauth: The granted scopes.
        :param data: Other fields of the provider's token response. At most 100 values.

        Fails with `QUOTA_EXCEEDED`, `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.ConnectionsCreateResponse] = Request(
            "POST",
            "/api/v1/connections",
            body={
                "type": type,
                "externalId": external_id,
                "displayName": display_name,
                "integrationName": integration_name,
                "workspaceId": workspace_id,
                "endUserId": end_user_id,
                "scope": scope,
                "oauthAppId": oauth_app_id,
                "secretText": secret_text,
                "username": username,
                "password": password,
                "props": props,
                "accessToken": access_token,
                "refreshToken": refresh_token,
                "tokenType": token_type,
                "expiresIn": expires_in,
                "scope_oauth": scope_oauth,
                "data": data,
            },
            returns={201: models.ConnectionsCreateResponse},
        )
        return await self._transport.send(request, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete a connection: `DELETE /api/v1/connections/{id}`.

        Deletes a connection and its credential. References to it become null.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/connections/{id}", id), returns={200: models.Deleted})
        return await self._transport.send(request, options)

    async def resolve(
        self,
        *,
        integration_name: str,
        workspace_id: str,
        external_id: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ConnectionsResolveResponse:
        """Resolve a connection: `POST /api/v1/connections/resolve`.

        Returns the connection that a call for this integration, workspace and end user would use.

        :param integration_name: The name of the integration, such as `github`.
        :param workspace_id: The id of the workspace.
        :param external_id: Your own id for it.
        :param end_user_id: The externalId of the end user.

        Fails with `NOT_FOUND`, `CONNECTION_NOT_FOUND`.
        """
        request: Request[models.ConnectionsResolveResponse] = Request(
            "POST",
            "/api/v1/connections/resolve",
            body={"integrationName": integration_name, "workspaceId": workspace_id, "externalId": external_id, "endUserId": end_user_id},
            returns={200: models.ConnectionsResolveResponse},
        )
        return await self._transport.send(request, options)

    async def create_reconnect_token(
        self,
        id: str,
        *,
        workspace_id: str,
        oauth_app_id: str | Omit = OMIT,
        success_redirect_uri: str | Omit = OMIT,
        error_redirect_uri: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ConnectLink:
        """Create a reconnect link: `POST /api/v1/connections/{id}/reconnect`.

        Creates a link to a page on which a user connects the same account again. The connection keeps its id and becomes ACTIVE.

        :param workspace_id: The workspace of the connection, unless its scope is ORGANIZATION.
        :param oauth_app_id: The id of the OAuth app that the authorization uses.
        :param success_redirect_uri: The URL of the redirect after success.
        :param error_redirect_uri: The URL of the redirect after the user cancels or the provider refuses.

        Fails with `NO_OAUTH_APP`, `CUSTOM_OAUTH_APP_PLAN_REQUIRED`, `NOT_FOUND`, `OAUTH_APP_NOT_FOUND`, `TENANT_OAUTH_APP_REQUIRED`.
        """
        request: Request[models.ConnectLink] = Request(
            "POST",
            to_path("/api/v1/connections/{id}/reconnect", id),
            body={
                "workspaceId": workspace_id,
                "oauthAppId": oauth_app_id,
                "successRedirectUri": success_redirect_uri,
                "errorRedirectUri": error_redirect_uri,
            },
            returns={200: models.ConnectLink},
        )
        return await self._transport.send(request, options)

    async def suspend(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ConnectionsSuspendResponse:
        """Suspend a connection: `POST /api/v1/connections/{id}/suspend`.

        Suspends a connection: no call uses it until it is resumed. It can be read and deleted, and is listed with `includeSuspended`.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ConnectionsSuspendResponse] = Request(
            "POST", to_path("/api/v1/connections/{id}/suspend", id), returns={200: models.ConnectionsSuspendResponse}
        )
        return await self._transport.send(request, options)

    async def resume(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ConnectionsResumeResponse:
        """Resume a connection: `POST /api/v1/connections/{id}/resume`.

        Resumes a suspended connection.

        Fails with `QUOTA_EXCEEDED`, `NOT_FOUND`.
        """
        request: Request[models.ConnectionsResumeResponse] = Request(
            "POST", to_path("/api/v1/connections/{id}/resume", id), returns={200: models.ConnectionsResumeResponse}
        )
        return await self._transport.send(request, options)


class Integrations:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Pages[models.IntegrationList, models.Integration]:
        """List integrations: `GET /api/v1/integrations`.

        Lists integrations, or returns the integration with `name`. With `summary` the response omits actions and triggers. Public.

        Fails with `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.IntegrationList] = Request("GET", "/api/v1/integrations", returns={200: models.IntegrationList})
        return self._transport.pages(request, options, models.Integration, "integrations")

    def list_summaries(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Pages[models.IntegrationSummaryList, models.IntegrationSummary]:
        """List integrations: `GET /api/v1/integrations`.

        Lists integrations, or returns the integration with `name`. With `summary` the response omits actions and triggers. Public.

        Fails with `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.IntegrationSummaryList] = Request(
            "GET", "/api/v1/integrations", query={"summary": True}, returns={200: models.IntegrationSummaryList}
        )
        return self._transport.pages(request, options, models.IntegrationSummary, "integrations")

    def get(
        self,
        name: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.IntegrationsGetResponse:
        """List integrations: `GET /api/v1/integrations`.

        Lists integrations, or returns the integration with `name`. With `summary` the response omits actions and triggers. Public.

        Fails with `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.IntegrationsGetResponse] = Request(
            "GET", "/api/v1/integrations", query={"name": name}, returns={200: models.IntegrationsGetResponse}
        )
        return self._transport.send(request, options)

    def get_oauth_status(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.OAuthStatus:
        """List integrations with OAuth: `GET /api/v1/integrations/oauth-status`.

        Lists the integrations that can be connected with OAuth, because the operator or the organization has an OAuth app for them.
        """
        request: Request[models.OAuthStatus] = Request("GET", "/api/v1/integrations/oauth-status", returns={200: models.OAuthStatus})
        return self._transport.send(request, options)

    def resolve_options(
        self,
        integration_name: str,
        *,
        property_name: str,
        workspace_id: str | Omit = OMIT,
        connection_external_id: str | Omit = OMIT,
        trigger_name: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        input: Mapping[str, Any] | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        action_name: str | Omit = OMIT,
        search_value: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.PropertyOptions:
        """List options of a property: `POST /api/v1/integrations/{integrationName}/properties/options`.

        Returns the options of a select property for a form. Options that only the provider has are requested from it, with the connection that the
        action would use.

        :param property_name: The name of the property.
        :param workspace_id: Without a workspace, connectionExternalId refers to a connection of the organization.
        :param connection_external_id: Selects the connection directly. By default the configured integration selects it.
        :param trigger_name: The name of the trigger.
        :param workspace_integration_id: The id of the configured integration. Takes precedence over the alias.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param end_user_id: The externalId of the end user, for per-user connections.
        :param input: The current values of the form. Defaults to {}.
        :param partial_ids: Ids of the partials to apply. An empty list applies no partials.
        :param action_name: The action that has the property. Required without triggerName.
        :param search_value: Returns options that contain each word in their label or value.

        Fails with `CONNECTION_REQUIRED`, `CONNECTION_NOT_FOUND`, `NOT_DROPDOWN`, `NO_OPTIONS_FN`, `OPTIONS_FAILED`, `INTEGRATION_NOT_FOUND`, `NOT_FOUND`.
        """
        request: Request[models.PropertyOptions] = Request(
            "POST",
            to_path("/api/v1/integrations/{integrationName}/properties/options", integration_name),
            body={
                "propertyName": property_name,
                "workspaceId": workspace_id,
                "connectionExternalId": connection_external_id,
                "triggerName": trigger_name,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "endUserId": end_user_id,
                "input": input,
                "partialIds": partial_ids,
                "actionName": action_name,
                "searchValue": search_value,
            },
            returns={200: models.PropertyOptions},
            takes_long=True,
        )
        return self._transport.send(request, options)

    def resolve_properties(
        self,
        integration_name: str,
        *,
        property_name: str,
        workspace_id: str | Omit = OMIT,
        connection_external_id: str | Omit = OMIT,
        trigger_name: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        input: Mapping[str, Any] | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        action_name: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ResolvedProperties:
        """List properties of a dynamic property: `POST /api/v1/integrations/{integrationName}/properties/resolve`.

        Returns the properties of a dynamic property for the input of the form.

        :param property_name: The name of the property.
        :param workspace_id: Without a workspace, connectionExternalId refers to a connection of the organization.
        :param connection_external_id: Selects the connection directly. By default the configured integration selects it.
        :param trigger_name: The name of the trigger.
        :param workspace_integration_id: The id of the configured integration. Takes precedence over the alias.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param end_user_id: The externalId of the end user, for per-user connections.
        :param input: The current values of the form. Defaults to {}.
        :param partial_ids: Ids of the partials to apply. An empty list applies no partials.
        :param action_name: The action that has the property. Required without triggerName.

        Fails with `CONNECTION_REQUIRED`, `CONNECTION_NOT_FOUND`, `NOT_DYNAMIC`, `NO_PROPS_FN`, `RESOLVE_FAILED`, `INTEGRATION_NOT_FOUND`, `NOT_FOUND`.
        """
        request: Request[models.ResolvedProperties] = Request(
            "POST",
            to_path("/api/v1/integrations/{integrationName}/properties/resolve", integration_name),
            body={
                "propertyName": property_name,
                "workspaceId": workspace_id,
                "connectionExternalId": connection_external_id,
                "triggerName": trigger_name,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "endUserId": end_user_id,
                "input": input,
                "partialIds": partial_ids,
                "actionName": action_name,
            },
            returns={200: models.ResolvedProperties},
            takes_long=True,
        )
        return self._transport.send(request, options)


class AsyncIntegrations:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.IntegrationList, models.Integration]:
        """List integrations: `GET /api/v1/integrations`.

        Lists integrations, or returns the integration with `name`. With `summary` the response omits actions and triggers. Public.

        Fails with `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.IntegrationList] = Request("GET", "/api/v1/integrations", returns={200: models.IntegrationList})
        return await self._transport.pages(request, options, models.Integration, "integrations")

    async def list_summaries(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.IntegrationSummaryList, models.IntegrationSummary]:
        """List integrations: `GET /api/v1/integrations`.

        Lists integrations, or returns the integration with `name`. With `summary` the response omits actions and triggers. Public.

        Fails with `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.IntegrationSummaryList] = Request(
            "GET", "/api/v1/integrations", query={"summary": True}, returns={200: models.IntegrationSummaryList}
        )
        return await self._transport.pages(request, options, models.IntegrationSummary, "integrations")

    async def get(
        self,
        name: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.IntegrationsGetResponse:
        """List integrations: `GET /api/v1/integrations`.

        Lists integrations, or returns the integration with `name`. With `summary` the response omits actions and triggers. Public.

        Fails with `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.IntegrationsGetResponse] = Request(
            "GET", "/api/v1/integrations", query={"name": name}, returns={200: models.IntegrationsGetResponse}
        )
        return await self._transport.send(request, options)

    async def get_oauth_status(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.OAuthStatus:
        """List integrations with OAuth: `GET /api/v1/integrations/oauth-status`.

        Lists the integrations that can be connected with OAuth, because the operator or the organization has an OAuth app for them.
        """
        request: Request[models.OAuthStatus] = Request("GET", "/api/v1/integrations/oauth-status", returns={200: models.OAuthStatus})
        return await self._transport.send(request, options)

    async def resolve_options(
        self,
        integration_name: str,
        *,
        property_name: str,
        workspace_id: str | Omit = OMIT,
        connection_external_id: str | Omit = OMIT,
        trigger_name: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        input: Mapping[str, Any] | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        action_name: str | Omit = OMIT,
        search_value: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.PropertyOptions:
        """List options of a property: `POST /api/v1/integrations/{integrationName}/properties/options`.

        Returns the options of a select property for a form. Options that only the provider has are requested from it, with the connection that the
        action would use.

        :param property_name: The name of the property.
        :param workspace_id: Without a workspace, connectionExternalId refers to a connection of the organization.
        :param connection_external_id: Selects the connection directly. By default the configured integration selects it.
        :param trigger_name: The name of the trigger.
        :param workspace_integration_id: The id of the configured integration. Takes precedence over the alias.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param end_user_id: The externalId of the end user, for per-user connections.
        :param input: The current values of the form. Defaults to {}.
        :param partial_ids: Ids of the partials to apply. An empty list applies no partials.
        :param action_name: The action that has the property. Required without triggerName.
        :param search_value: Returns options that contain each word in their label or value.

        Fails with `CONNECTION_REQUIRED`, `CONNECTION_NOT_FOUND`, `NOT_DROPDOWN`, `NO_OPTIONS_FN`, `OPTIONS_FAILED`, `INTEGRATION_NOT_FOUND`, `NOT_FOUND`.
        """
        request: Request[models.PropertyOptions] = Request(
            "POST",
            to_path("/api/v1/integrations/{integrationName}/properties/options", integration_name),
            body={
                "propertyName": property_name,
                "workspaceId": workspace_id,
                "connectionExternalId": connection_external_id,
                "triggerName": trigger_name,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "endUserId": end_user_id,
                "input": input,
                "partialIds": partial_ids,
                "actionName": action_name,
                "searchValue": search_value,
            },
            returns={200: models.PropertyOptions},
            takes_long=True,
        )
        return await self._transport.send(request, options)

    async def resolve_properties(
        self,
        integration_name: str,
        *,
        property_name: str,
        workspace_id: str | Omit = OMIT,
        connection_external_id: str | Omit = OMIT,
        trigger_name: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        input: Mapping[str, Any] | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        action_name: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ResolvedProperties:
        """List properties of a dynamic property: `POST /api/v1/integrations/{integrationName}/properties/resolve`.

        Returns the properties of a dynamic property for the input of the form.

        :param property_name: The name of the property.
        :param workspace_id: Without a workspace, connectionExternalId refers to a connection of the organization.
        :param connection_external_id: Selects the connection directly. By default the configured integration selects it.
        :param trigger_name: The name of the trigger.
        :param workspace_integration_id: The id of the configured integration. Takes precedence over the alias.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param end_user_id: The externalId of the end user, for per-user connections.
        :param input: The current values of the form. Defaults to {}.
        :param partial_ids: Ids of the partials to apply. An empty list applies no partials.
        :param action_name: The action that has the property. Required without triggerName.

        Fails with `CONNECTION_REQUIRED`, `CONNECTION_NOT_FOUND`, `NOT_DYNAMIC`, `NO_PROPS_FN`, `RESOLVE_FAILED`, `INTEGRATION_NOT_FOUND`, `NOT_FOUND`.
        """
        request: Request[models.ResolvedProperties] = Request(
            "POST",
            to_path("/api/v1/integrations/{integrationName}/properties/resolve", integration_name),
            body={
                "propertyName": property_name,
                "workspaceId": workspace_id,
                "connectionExternalId": connection_external_id,
                "triggerName": trigger_name,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "endUserId": end_user_id,
                "input": input,
                "partialIds": partial_ids,
                "actionName": action_name,
            },
            returns={200: models.ResolvedProperties},
            takes_long=True,
        )
        return await self._transport.send(request, options)


class WorkspaceIntegrations:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        workspace_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Pages[models.WorkspaceIntegrationList, models.WorkspaceIntegration]:
        """List workspace integrations: `GET /api/v1/workspaces/{workspaceId}/integrations`.

        Lists the configured integrations of a workspace by `sortOrder`, then oldest first.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.WorkspaceIntegrationList] = Request(
            "GET", to_path("/api/v1/workspaces/{workspaceId}/integrations", workspace_id), returns={200: models.WorkspaceIntegrationList}
        )
        return self._transport.pages(request, options, models.WorkspaceIntegration, "integrations")

    def create(
        self,
        workspace_id: str,
        *,
        integration_name: str,
        alias: str | Omit = OMIT,
        connection_strategy: str | Omit = OMIT,
        connection_id: str | Omit = OMIT,
        display_name: str | Omit = OMIT,
        enabled_actions: Sequence[str] | Omit = OMIT,
        settings: Mapping[str, Any] | Omit = OMIT,
        sort_order: float | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.WorkspaceIntegrationsCreateResponse:
        """Create a workspace integration: `POST /api/v1/workspaces/{workspaceId}/integrations`.

        Configures an integration in a workspace.

        :param integration_name: The name of the integration, such as `github`.
        :param alias: Defaults to the name of the integration.
        :param connection_strategy: The connection strategy. Defaults to fixed.
        :param connection_id: Required for fixed and per_user_with_fallback, unless the integration needs no connection.
        :param display_name: The name that people read.
        :param enabled_actions: Omit it to enable all actions.
        :param settings: At most 16 kB as JSON.
        :param sort_order: The position in lists: any finite number.

        Fails with `NOT_FOUND`, `DUPLICATE`, `MCP_BEARER_BLOCKS_PER_USER`.
        """
        request: Request[models.WorkspaceIntegrationsCreateResponse] = Request(
            "POST",
            to_path("/api/v1/workspaces/{workspaceId}/integrations", workspace_id),
            body={
                "integrationName": integration_name,
                "alias": alias,
                "connectionStrategy": connection_strategy,
                "connectionId": connection_id,
                "displayName": display_name,
                "enabledActions": enabled_actions,
                "settings": settings,
                "sortOrder": sort_order,
            },
            returns={201: models.WorkspaceIntegrationsCreateResponse},
        )
        return self._transport.send(request, options)

    def update(
        self,
        workspace_id: str,
        id: str,
        *,
        alias: str | Omit = OMIT,
        connection_strategy: str | Omit = OMIT,
        connection_id: str | None | Omit = OMIT,
        display_name: str | None | Omit = OMIT,
        enabled_actions: Sequence[str] | None | Omit = OMIT,
        settings: Mapping[str, Any] | None | Omit = OMIT,
        sort_order: float | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.WorkspaceIntegrationsUpdateResponse:
        """Update a workspace integration: `PATCH /api/v1/workspaces/{workspaceId}/integrations/{id}`.

        Updates the specified fields of a configured integration.

        :param alias: The alias of the configured integration, unique in its workspace.
        :param connection_strategy: The connection of a call: `fixed`, `per_user` or `per_user_with_fallback`.
        :param connection_id: Null removes the connection, if the strategy needs no connection.
        :param display_name: Null removes it.
        :param enabled_actions: Null enables all actions.
        :param settings: Null restores the defaults. At most 16 kB as JSON.
        :param sort_order: The position in lists: any finite number.

        Fails with `NO_UPDATES`, `NOT_FOUND`, `DUPLICATE`, `MCP_BEARER_BLOCKS_PER_USER`.
        """
        request: Request[models.WorkspaceIntegrationsUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/workspaces/{workspaceId}/integrations/{id}", workspace_id, id),
            body={
                "alias": alias,
                "connectionStrategy": connection_strategy,
                "connectionId": connection_id,
                "displayName": display_name,
                "enabledActions": enabled_actions,
                "settings": settings,
                "sortOrder": sort_order,
            },
            returns={200: models.WorkspaceIntegrationsUpdateResponse},
        )
        return self._transport.send(request, options)

    def delete(
        self,
        workspace_id: str,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete a workspace integration: `DELETE /api/v1/workspaces/{workspaceId}/integrations/{id}`.

        Removes an integration from a workspace.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request(
            "DELETE", to_path("/api/v1/workspaces/{workspaceId}/integrations/{id}", workspace_id, id), returns={200: models.Deleted}
        )
        return self._transport.send(request, options)


class AsyncWorkspaceIntegrations:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        workspace_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.WorkspaceIntegrationList, models.WorkspaceIntegration]:
        """List workspace integrations: `GET /api/v1/workspaces/{workspaceId}/integrations`.

        Lists the configured integrations of a workspace by `sortOrder`, then oldest first.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.WorkspaceIntegrationList] = Request(
            "GET", to_path("/api/v1/workspaces/{workspaceId}/integrations", workspace_id), returns={200: models.WorkspaceIntegrationList}
        )
        return await self._transport.pages(request, options, models.WorkspaceIntegration, "integrations")

    async def create(
        self,
        workspace_id: str,
        *,
        integration_name: str,
        alias: str | Omit = OMIT,
        connection_strategy: str | Omit = OMIT,
        connection_id: str | Omit = OMIT,
        display_name: str | Omit = OMIT,
        enabled_actions: Sequence[str] | Omit = OMIT,
        settings: Mapping[str, Any] | Omit = OMIT,
        sort_order: float | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.WorkspaceIntegrationsCreateResponse:
        """Create a workspace integration: `POST /api/v1/workspaces/{workspaceId}/integrations`.

        Configures an integration in a workspace.

        :param integration_name: The name of the integration, such as `github`.
        :param alias: Defaults to the name of the integration.
        :param connection_strategy: The connection strategy. Defaults to fixed.
        :param connection_id: Required for fixed and per_user_with_fallback, unless the integration needs no connection.
        :param display_name: The name that people read.
        :param enabled_actions: Omit it to enable all actions.
        :param settings: At most 16 kB as JSON.
        :param sort_order: The position in lists: any finite number.

        Fails with `NOT_FOUND`, `DUPLICATE`, `MCP_BEARER_BLOCKS_PER_USER`.
        """
        request: Request[models.WorkspaceIntegrationsCreateResponse] = Request(
            "POST",
            to_path("/api/v1/workspaces/{workspaceId}/integrations", workspace_id),
            body={
                "integrationName": integration_name,
                "alias": alias,
                "connectionStrategy": connection_strategy,
                "connectionId": connection_id,
                "displayName": display_name,
                "enabledActions": enabled_actions,
                "settings": settings,
                "sortOrder": sort_order,
            },
            returns={201: models.WorkspaceIntegrationsCreateResponse},
        )
        return await self._transport.send(request, options)

    async def update(
        self,
        workspace_id: str,
        id: str,
        *,
        alias: str | Omit = OMIT,
        connection_strategy: str | Omit = OMIT,
        connection_id: str | None | Omit = OMIT,
        display_name: str | None | Omit = OMIT,
        enabled_actions: Sequence[str] | None | Omit = OMIT,
        settings: Mapping[str, Any] | None | Omit = OMIT,
        sort_order: float | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.WorkspaceIntegrationsUpdateResponse:
        """Update a workspace integration: `PATCH /api/v1/workspaces/{workspaceId}/integrations/{id}`.

        Updates the specified fields of a configured integration.

        :param alias: The alias of the configured integration, unique in its workspace.
        :param connection_strategy: The connection of a call: `fixed`, `per_user` or `per_user_with_fallback`.
        :param connection_id: Null removes the connection, if the strategy needs no connection.
        :param display_name: Null removes it.
        :param enabled_actions: Null enables all actions.
        :param settings: Null restores the defaults. At most 16 kB as JSON.
        :param sort_order: The position in lists: any finite number.

        Fails with `NO_UPDATES`, `NOT_FOUND`, `DUPLICATE`, `MCP_BEARER_BLOCKS_PER_USER`.
        """
        request: Request[models.WorkspaceIntegrationsUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/workspaces/{workspaceId}/integrations/{id}", workspace_id, id),
            body={
                "alias": alias,
                "connectionStrategy": connection_strategy,
                "connectionId": connection_id,
                "displayName": display_name,
                "enabledActions": enabled_actions,
                "settings": settings,
                "sortOrder": sort_order,
            },
            returns={200: models.WorkspaceIntegrationsUpdateResponse},
        )
        return await self._transport.send(request, options)

    async def delete(
        self,
        workspace_id: str,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete a workspace integration: `DELETE /api/v1/workspaces/{workspaceId}/integrations/{id}`.

        Removes an integration from a workspace.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request(
            "DELETE", to_path("/api/v1/workspaces/{workspaceId}/integrations/{id}", workspace_id, id), returns={200: models.Deleted}
        )
        return await self._transport.send(request, options)


class EndUsers:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.EndUserList, models.EndUser]:
        """List end users: `GET /api/v1/end-users`.

        Lists end users, newest first.

        :param workspace_id: The id of the workspace.
        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.EndUserList] = Request(
            "GET", "/api/v1/end-users", query={"workspaceId": workspace_id, "limit": limit, "offset": offset}, returns={200: models.EndUserList}
        )
        return self._transport.pages(request, options, models.EndUser, "endUsers")

    def create(
        self,
        *,
        workspace_id: str,
        external_id: str,
        display_name: str | Omit = OMIT,
        email: str | Omit = OMIT,
        metadata: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.EndUsersCreateResponse:
        """Create an end user: `POST /api/v1/end-users`.

        Creates an end user. Creating a connection with an unknown end user id also creates the end user.

        :param workspace_id: The id of the workspace.
        :param external_id: Your own id for it.
        :param display_name: The name that people read.
        :param email: An email address in the format of HTML forms.
        :param metadata: At most 50 keys and 16 kB as JSON. Defaults to none.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.EndUsersCreateResponse] = Request(
            "POST",
            "/api/v1/end-users",
            body={"workspaceId": workspace_id, "externalId": external_id, "displayName": display_name, "email": email, "metadata": metadata},
            returns={201: models.EndUsersCreateResponse},
        )
        return self._transport.send(request, options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ShownEndUser:
        """Get an end user: `GET /api/v1/end-users/{id}`.

        Returns an end user with their connections.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ShownEndUser] = Request("GET", to_path("/api/v1/end-users/{id}", id), returns={200: models.ShownEndUser})
        return self._transport.send(request, options)

    def update(
        self,
        id: str,
        *,
        display_name: str | None | Omit = OMIT,
        email: str | None | Omit = OMIT,
        metadata: Mapping[str, Any] | None | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.EndUsersUpdateResponse:
        """Update an end user: `PATCH /api/v1/end-users/{id}`.

        Updates the given fields of an end user.

        :param display_name: Null removes it.
        :param email: Null removes it.
        :param metadata: Replaces the metadata. Null removes it. At most 50 keys and 16 kB as JSON.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.EndUsersUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/end-users/{id}", id),
            body={"displayName": display_name, "email": email, "metadata": metadata},
            returns={200: models.EndUsersUpdateResponse},
        )
        return self._transport.send(request, options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.DeletedEndUser:
        """Delete an end user: `DELETE /api/v1/end-users/{id}`.

        Deletes an end user and all their connections of every scope. No call uses the connections within one second.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.DeletedEndUser] = Request("DELETE", to_path("/api/v1/end-users/{id}", id), returns={200: models.DeletedEndUser})
        return self._transport.send(request, options)

    def create_portal_token(
        self,
        id: str,
        *,
        integration_name: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        expires_in: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.PortalLink:
        """Create a portal link: `POST /api/v1/end-users/{id}/connect-token`.

        Creates a link to the portal, a page that lists and deletes the connections of the end user. Anyone with the link can use it. No other
        response contains it. At most 100 links are active; a new link revokes the oldest.

        :param integration_name: Limits the portal to connections of this integration.
        :param workspace_integration_id: Limits the portal to the integration that is configured under this id.
        :param expires_in: The lifetime in seconds.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.PortalLink] = Request(
            "POST",
            to_path("/api/v1/end-users/{id}/connect-token", id),
            body={"integrationName": integration_name, "workspaceIntegrationId": workspace_integration_id, "expiresIn": expires_in},
            returns={200: models.PortalLink},
        )
        return self._transport.send(request, options)

    def invite(
        self,
        id: str,
        *,
        email: str,
        integration_name: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        expires_in: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.MailedPortalLink:
        """Email a portal link: `POST /api/v1/end-users/{id}/invite`.

        Creates a link to the portal and emails it to the end user, in English or German according to Accept-Language.

        :param email: The address that receives the link.
        :param integration_name: Limits the portal to connections of this integration.
        :param workspace_integration_id: Limits the portal to the integration that is configured under this id.
        :param expires_in: The lifetime in seconds.

        Fails with `EMAIL_NOT_CONFIGURED`, `NOT_FOUND`.
        """
        request: Request[models.MailedPortalLink] = Request(
            "POST",
            to_path("/api/v1/end-users/{id}/invite", id),
            body={"email": email, "integrationName": integration_name, "workspaceIntegrationId": workspace_integration_id, "expiresIn": expires_in},
            returns={200: models.MailedPortalLink},
        )
        return self._transport.send(request, options)


class AsyncEndUsers:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.EndUserList, models.EndUser]:
        """List end users: `GET /api/v1/end-users`.

        Lists end users, newest first.

        :param workspace_id: The id of the workspace.
        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.EndUserList] = Request(
            "GET", "/api/v1/end-users", query={"workspaceId": workspace_id, "limit": limit, "offset": offset}, returns={200: models.EndUserList}
        )
        return await self._transport.pages(request, options, models.EndUser, "endUsers")

    async def create(
        self,
        *,
        workspace_id: str,
        external_id: str,
        display_name: str | Omit = OMIT,
        email: str | Omit = OMIT,
        metadata: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.EndUsersCreateResponse:
        """Create an end user: `POST /api/v1/end-users`.

        Creates an end user. Creating a connection with an unknown end user id also creates the end user.

        :param workspace_id: The id of the workspace.
        :param external_id: Your own id for it.
        :param display_name: The name that people read.
        :param email: An email address in the format of HTML forms.
        :param metadata: At most 50 keys and 16 kB as JSON. Defaults to none.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.EndUsersCreateResponse] = Request(
            "POST",
            "/api/v1/end-users",
            body={"workspaceId": workspace_id, "externalId": external_id, "displayName": display_name, "email": email, "metadata": metadata},
            returns={201: models.EndUsersCreateResponse},
        )
        return await self._transport.send(request, options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ShownEndUser:
        """Get an end user: `GET /api/v1/end-users/{id}`.

        Returns an end user with their connections.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ShownEndUser] = Request("GET", to_path("/api/v1/end-users/{id}", id), returns={200: models.ShownEndUser})
        return await self._transport.send(request, options)

    async def update(
        self,
        id: str,
        *,
        display_name: str | None | Omit = OMIT,
        email: str | None | Omit = OMIT,
        metadata: Mapping[str, Any] | None | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.EndUsersUpdateResponse:
        """Update an end user: `PATCH /api/v1/end-users/{id}`.

        Updates the given fields of an end user.

        :param display_name: Null removes it.
        :param email: Null removes it.
        :param metadata: Replaces the metadata. Null removes it. At most 50 keys and 16 kB as JSON.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.EndUsersUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/end-users/{id}", id),
            body={"displayName": display_name, "email": email, "metadata": metadata},
            returns={200: models.EndUsersUpdateResponse},
        )
        return await self._transport.send(request, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.DeletedEndUser:
        """Delete an end user: `DELETE /api/v1/end-users/{id}`.

        Deletes an end user and all their connections of every scope. No call uses the connections within one second.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.DeletedEndUser] = Request("DELETE", to_path("/api/v1/end-users/{id}", id), returns={200: models.DeletedEndUser})
        return await self._transport.send(request, options)

    async def create_portal_token(
        self,
        id: str,
        *,
        integration_name: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        expires_in: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.PortalLink:
        """Create a portal link: `POST /api/v1/end-users/{id}/connect-token`.

        Creates a link to the portal, a page that lists and deletes the connections of the end user. Anyone with the link can use it. No other
        response contains it. At most 100 links are active; a new link revokes the oldest.

        :param integration_name: Limits the portal to connections of this integration.
        :param workspace_integration_id: Limits the portal to the integration that is configured under this id.
        :param expires_in: The lifetime in seconds.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.PortalLink] = Request(
            "POST",
            to_path("/api/v1/end-users/{id}/connect-token", id),
            body={"integrationName": integration_name, "workspaceIntegrationId": workspace_integration_id, "expiresIn": expires_in},
            returns={200: models.PortalLink},
        )
        return await self._transport.send(request, options)

    async def invite(
        self,
        id: str,
        *,
        email: str,
        integration_name: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        expires_in: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.MailedPortalLink:
        """Email a portal link: `POST /api/v1/end-users/{id}/invite`.

        Creates a link to the portal and emails it to the end user, in English or German according to Accept-Language.

        :param email: The address that receives the link.
        :param integration_name: Limits the portal to connections of this integration.
        :param workspace_integration_id: Limits the portal to the integration that is configured under this id.
        :param expires_in: The lifetime in seconds.

        Fails with `EMAIL_NOT_CONFIGURED`, `NOT_FOUND`.
        """
        request: Request[models.MailedPortalLink] = Request(
            "POST",
            to_path("/api/v1/end-users/{id}/invite", id),
            body={"email": email, "integrationName": integration_name, "workspaceIntegrationId": workspace_integration_id, "expiresIn": expires_in},
            returns={200: models.MailedPortalLink},
        )
        return await self._transport.send(request, options)


class Triggers:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.TriggerList, models.TriggerSource]:
        """List triggers: `GET /api/v1/triggers`.

        Lists trigger sources, newest first.

        :param workspace_id: Returns only triggers of this workspace.
        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.TriggerList] = Request(
            "GET", "/api/v1/triggers", query={"workspaceId": workspace_id, "limit": limit, "offset": offset}, returns={200: models.TriggerList}
        )
        return self._transport.pages(request, options, models.TriggerSource, "triggers")

    def enable(
        self,
        *,
        workspace_id: str,
        integration_name: str,
        trigger_name: str,
        callback_url: str | None,
        connection_external_id: str | Omit = OMIT,
        callback_headers: Mapping[str, Any] | Omit = OMIT,
        callback_metadata: Mapping[str, Any] | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        input: Mapping[str, Any] | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        polling_interval_minutes: float | Omit = OMIT,
        simulate: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.EnabledTrigger:
        """Enable a trigger: `POST /api/v1/triggers/enable`.

        Enables a trigger. A webhook trigger is registered at the provider, and a polling trigger stores its start position, before the
        response is sent. No other response contains the signing secret.

        :param workspace_id: The id of the workspace.
        :param integration_name: The name of the integration, such as `github`.
        :param trigger_name: The name of the trigger.
        :param callback_url: Receives the events: public HTTPS, or http to an address that the operator lists in EGRESS_ALLOW. With null, events are only stored, for 30 days: read them with GET /api/v1/triggers/{id}/deliveries, for example during development on a computer that Drawbridge cannot reach.
        :param connection_external_id: Selects the connection directly. By default the configured integration selects it.
        :param callback_headers: Headers of each callback: at most 20 strings with 8 kB in total. Headers that HTTP or Drawbridge sets are not allowed.
        :param callback_metadata: Metadata, sent with each callback. At most 16 kB and 50 keys.
        :param workspace_integration_id: The id of the configured integration. Takes precedence over the alias.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param end_user_id: The externalId of the end user, for per-user connections.
        :param input: The input of the trigger. Defaults to {}. Partials are merged beneath it as for an action.
        :param partial_ids: At most 10 partials of this configured integration and trigger. Later partials override earlier partials. Defaults to the default partials, oldest first. An empty list applies no partials.
        :param polling_interval_minutes: The polling interval, only for polling triggers. Defaults to the minimum of the plan, but at least 5.
        :param simulate: True to deliver one sample event without registering the trigger.

        Fails with `CONNECTION_REQUIRED`, `CONNECTION_NOT_FOUND`, `ACTION_FAILED`, `POLLING_INTERVAL_TOO_SHORT`, `NOT_FOUND`, `INTEGRATION_NOT_FOUND`, `TRIGGER_NOT_FOUND`.
        """
        request: Request[models.EnabledTrigger] = Request(
            "POST",
            "/api/v1/triggers/enable",
            body={
                "workspaceId": workspace_id,
                "integrationName": integration_name,
                "triggerName": trigger_name,
                "callbackUrl": callback_url,
                "connectionExternalId": connection_external_id,
                "callbackHeaders": callback_headers,
                "callbackMetadata": callback_metadata,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "endUserId": end_user_id,
                "input": input,
                "partialIds": partial_ids,
                "pollingIntervalMinutes": polling_interval_minutes,
                "simulate": simulate,
            },
            returns={201: models.EnabledTrigger},
        )
        return self._transport.send(request, options)

    def disable(
        self,
        *,
        trigger_source_id: str,
        options: RequestOptions | None = None,
    ) -> models.DisabledTrigger:
        """Disable a trigger: `POST /api/v1/triggers/disable`.

        Disables a trigger: no further events are delivered. The webhook is removed at the provider in the background. The trigger is disabled even if
        that fails.

        :param trigger_source_id: The id of the trigger source.

        Fails with `MISSING_ID`, `NOT_FOUND`.
        """
        request: Request[models.DisabledTrigger] = Request(
            "POST", "/api/v1/triggers/disable", body={"triggerSourceId": trigger_source_id}, returns={200: models.DisabledTrigger}
        )
        return self._transport.send(request, options)

    def test(
        self,
        *,
        integration_name: str,
        trigger_name: str,
        options: RequestOptions | None = None,
    ) -> models.TriggerSample:
        """Test a trigger: `POST /api/v1/triggers/test`.

        Returns a sample event of a trigger. No request is sent to the provider.

        :param integration_name: The name of the integration, such as `github`.
        :param trigger_name: The name of the trigger.

        Fails with `MISSING_FIELDS`, `INTEGRATION_NOT_FOUND`, `TRIGGER_NOT_FOUND`.
        """
        request: Request[models.TriggerSample] = Request(
            "POST",
            "/api/v1/triggers/test",
            body={"integrationName": integration_name, "triggerName": trigger_name},
            returns={200: models.TriggerSample},
        )
        return self._transport.send(request, options)

    def list_deliveries(
        self,
        id: str,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.TriggerDeliveryList, models.TriggerDelivery]:
        """List trigger deliveries: `GET /api/v1/triggers/{id}/deliveries`.

        Lists deliveries of the last 30 days, newest first: pending, delivered and failed deliveries. Deliveries of a trigger without `callbackUrl` stay
        pending, and are deleted after 30 days.

        :param limit: The maximum number of items in the response.
        :param cursor: The `nextCursor` of the previous page.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.TriggerDeliveryList] = Request(
            "GET",
            to_path("/api/v1/triggers/{id}/deliveries", id),
            query={"limit": limit, "cursor": cursor},
            returns={200: models.TriggerDeliveryList},
        )
        return self._transport.pages(request, options, models.TriggerDelivery, "deliveries")

    def get_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.TriggerDeliveryDetails:
        """Get a trigger delivery: `GET /api/v1/triggers/{id}/deliveries/{deliveryId}`.

        Returns a delivery with the body of its callback, as a receiver gets it. `body` is null after the callback is delivered, because the event is then
        deleted.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.TriggerDeliveryDetails] = Request(
            "GET", to_path("/api/v1/triggers/{id}/deliveries/{deliveryId}", id, delivery_id), returns={200: models.TriggerDeliveryDetails}
        )
        return self._transport.send(request, options)

    def redeliver(
        self,
        id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.TriggersRedeliverResponse:
        """Redeliver a trigger event: `POST /api/v1/triggers/{id}/deliveries/{deliveryId}/redeliver`.

        Redelivers an event. A dead letter gets all its attempts again, the first of them immediately. For a delivery that waits for a retry, this is the
        next attempt. A delivery that is being sent is returned unchanged, and so is a delivery of a trigger without `callbackUrl`. The response is 409 if
        the delivery succeeded.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.TriggersRedeliverResponse] = Request(
            "POST",
            to_path("/api/v1/triggers/{id}/deliveries/{deliveryId}/redeliver", id, delivery_id),
            returns={200: models.TriggersRedeliverResponse},
        )
        return self._transport.send(request, options)


class AsyncTriggers:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.TriggerList, models.TriggerSource]:
        """List triggers: `GET /api/v1/triggers`.

        Lists trigger sources, newest first.

        :param workspace_id: Returns only triggers of this workspace.
        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.TriggerList] = Request(
            "GET", "/api/v1/triggers", query={"workspaceId": workspace_id, "limit": limit, "offset": offset}, returns={200: models.TriggerList}
        )
        return await self._transport.pages(request, options, models.TriggerSource, "triggers")

    async def enable(
        self,
        *,
        workspace_id: str,
        integration_name: str,
        trigger_name: str,
        callback_url: str | None,
        connection_external_id: str | Omit = OMIT,
        callback_headers: Mapping[str, Any] | Omit = OMIT,
        callback_metadata: Mapping[str, Any] | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        input: Mapping[str, Any] | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        polling_interval_minutes: float | Omit = OMIT,
        simulate: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.EnabledTrigger:
        """Enable a trigger: `POST /api/v1/triggers/enable`.

        Enables a trigger. A webhook trigger is registered at the provider, and a polling trigger stores its start position, before the
        response is sent. No other response contains the signing secret.

        :param workspace_id: The id of the workspace.
        :param integration_name: The name of the integration, such as `github`.
        :param trigger_name: The name of the trigger.
        :param callback_url: Receives the events: public HTTPS, or http to an address that the operator lists in EGRESS_ALLOW. With null, events are only stored, for 30 days: read them with GET /api/v1/triggers/{id}/deliveries, for example during development on a computer that Drawbridge cannot reach.
        :param connection_external_id: Selects the connection directly. By default the configured integration selects it.
        :param callback_headers: Headers of each callback: at most 20 strings with 8 kB in total. Headers that HTTP or Drawbridge sets are not allowed.
        :param callback_metadata: Metadata, sent with each callback. At most 16 kB and 50 keys.
        :param workspace_integration_id: The id of the configured integration. Takes precedence over the alias.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param end_user_id: The externalId of the end user, for per-user connections.
        :param input: The input of the trigger. Defaults to {}. Partials are merged beneath it as for an action.
        :param partial_ids: At most 10 partials of this configured integration and trigger. Later partials override earlier partials. Defaults to the default partials, oldest first. An empty list applies no partials.
        :param polling_interval_minutes: The polling interval, only for polling triggers. Defaults to the minimum of the plan, but at least 5.
        :param simulate: True to deliver one sample event without registering the trigger.

        Fails with `CONNECTION_REQUIRED`, `CONNECTION_NOT_FOUND`, `ACTION_FAILED`, `POLLING_INTERVAL_TOO_SHORT`, `NOT_FOUND`, `INTEGRATION_NOT_FOUND`, `TRIGGER_NOT_FOUND`.
        """
        request: Request[models.EnabledTrigger] = Request(
            "POST",
            "/api/v1/triggers/enable",
            body={
                "workspaceId": workspace_id,
                "integrationName": integration_name,
                "triggerName": trigger_name,
                "callbackUrl": callback_url,
                "connectionExternalId": connection_external_id,
                "callbackHeaders": callback_headers,
                "callbackMetadata": callback_metadata,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "endUserId": end_user_id,
                "input": input,
                "partialIds": partial_ids,
                "pollingIntervalMinutes": polling_interval_minutes,
                "simulate": simulate,
            },
            returns={201: models.EnabledTrigger},
        )
        return await self._transport.send(request, options)

    async def disable(
        self,
        *,
        trigger_source_id: str,
        options: RequestOptions | None = None,
    ) -> models.DisabledTrigger:
        """Disable a trigger: `POST /api/v1/triggers/disable`.

        Disables a trigger: no further events are delivered. The webhook is removed at the provider in the background. The trigger is disabled even if
        that fails.

        :param trigger_source_id: The id of the trigger source.

        Fails with `MISSING_ID`, `NOT_FOUND`.
        """
        request: Request[models.DisabledTrigger] = Request(
            "POST", "/api/v1/triggers/disable", body={"triggerSourceId": trigger_source_id}, returns={200: models.DisabledTrigger}
        )
        return await self._transport.send(request, options)

    async def test(
        self,
        *,
        integration_name: str,
        trigger_name: str,
        options: RequestOptions | None = None,
    ) -> models.TriggerSample:
        """Test a trigger: `POST /api/v1/triggers/test`.

        Returns a sample event of a trigger. No request is sent to the provider.

        :param integration_name: The name of the integration, such as `github`.
        :param trigger_name: The name of the trigger.

        Fails with `MISSING_FIELDS`, `INTEGRATION_NOT_FOUND`, `TRIGGER_NOT_FOUND`.
        """
        request: Request[models.TriggerSample] = Request(
            "POST",
            "/api/v1/triggers/test",
            body={"integrationName": integration_name, "triggerName": trigger_name},
            returns={200: models.TriggerSample},
        )
        return await self._transport.send(request, options)

    async def list_deliveries(
        self,
        id: str,
        *,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.TriggerDeliveryList, models.TriggerDelivery]:
        """List trigger deliveries: `GET /api/v1/triggers/{id}/deliveries`.

        Lists deliveries of the last 30 days, newest first: pending, delivered and failed deliveries. Deliveries of a trigger without `callbackUrl` stay
        pending, and are deleted after 30 days.

        :param limit: The maximum number of items in the response.
        :param cursor: The `nextCursor` of the previous page.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.TriggerDeliveryList] = Request(
            "GET",
            to_path("/api/v1/triggers/{id}/deliveries", id),
            query={"limit": limit, "cursor": cursor},
            returns={200: models.TriggerDeliveryList},
        )
        return await self._transport.pages(request, options, models.TriggerDelivery, "deliveries")

    async def get_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.TriggerDeliveryDetails:
        """Get a trigger delivery: `GET /api/v1/triggers/{id}/deliveries/{deliveryId}`.

        Returns a delivery with the body of its callback, as a receiver gets it. `body` is null after the callback is delivered, because the event is then
        deleted.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.TriggerDeliveryDetails] = Request(
            "GET", to_path("/api/v1/triggers/{id}/deliveries/{deliveryId}", id, delivery_id), returns={200: models.TriggerDeliveryDetails}
        )
        return await self._transport.send(request, options)

    async def redeliver(
        self,
        id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.TriggersRedeliverResponse:
        """Redeliver a trigger event: `POST /api/v1/triggers/{id}/deliveries/{deliveryId}/redeliver`.

        Redelivers an event. A dead letter gets all its attempts again, the first of them immediately. For a delivery that waits for a retry, this is the
        next attempt. A delivery that is being sent is returned unchanged, and so is a delivery of a trigger without `callbackUrl`. The response is 409 if
        the delivery succeeded.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.TriggersRedeliverResponse] = Request(
            "POST",
            to_path("/api/v1/triggers/{id}/deliveries/{deliveryId}/redeliver", id, delivery_id),
            returns={200: models.TriggersRedeliverResponse},
        )
        return await self._transport.send(request, options)


class McpServers:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        include_suspended: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.McpServerList, models.McpServer]:
        """List MCP servers: `GET /api/v1/mcp/servers`.

        Lists MCP servers, newest first.

        :param workspace_id: Returns only servers of this workspace.
        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        :param include_suspended: Includes suspended servers.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.McpServerList] = Request(
            "GET",
            "/api/v1/mcp/servers",
            query={"workspaceId": workspace_id, "limit": limit, "offset": offset, "includeSuspended": include_suspended},
            returns={200: models.McpServerList},
        )
        return self._transport.pages(request, options, models.McpServer, "servers")

    def create(
        self,
        *,
        name: str,
        workspace_id: str,
        description: str | Omit = OMIT,
        mode: Literal["TOOLS", "CODE"] | Omit = OMIT,
        settings: models.GivenMcpServerSettings | Mapping[str, Any] | Omit = OMIT,
        auth_mode: Literal["oauth", "bearer", "oauth_and_bearer"] | Omit = OMIT,
        end_user_access: Literal["restricted", "open"] | Omit = OMIT,
        created_by: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.CreatedMcpServer:
        """Create an MCP server: `POST /api/v1/mcp/servers`.

        Creates an MCP server that offers the integrations of a workspace to agents. The response contains `bearerToken` if `authMode` includes
        bearer tokens and a token can be shared: no integration of the workspace needs a connection per user, or the server belongs to one end
        user.

        :param name: The name.
        :param workspace_id: The id of the workspace.
        :param description: The description that people and models read.
        :param mode: The mode. TOOLS: each action is a tool. CODE: the tools find actions and run code that calls them.
        :param settings: The settings of the server.
        :param auth_mode: How agents authenticate: `oauth`, `bearer` or `oauth_and_bearer`.
        :param end_user_access: The access of end users. restricted: only end users of the workspace. open: everyone who signs in.
        :param created_by: A label of the creator of the server.
        :param end_user_id: The externalId of the only end user of the server.

        Fails with `QUOTA_EXCEEDED`, `NOT_FOUND`, `END_USER_NOT_FOUND`.
        """
        request: Request[models.CreatedMcpServer] = Request(
            "POST",
            "/api/v1/mcp/servers",
            body={
                "name": name,
                "workspaceId": workspace_id,
                "description": description,
                "mode": mode,
                "settings": settings,
                "authMode": auth_mode,
                "endUserAccess": end_user_access,
                "createdBy": created_by,
                "endUserId": end_user_id,
            },
            returns={201: models.CreatedMcpServer},
        )
        return self._transport.send(request, options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.McpServersGetResponse:
        """Get an MCP server: `GET /api/v1/mcp/servers/{id}`.

        Returns an MCP server with the tools that were added to it. It also offers the enabled actions of the workspace.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.McpServersGetResponse] = Request(
            "GET", to_path("/api/v1/mcp/servers/{id}", id), returns={200: models.McpServersGetResponse}
        )
        return self._transport.send(request, options)

    def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        description: str | None | Omit = OMIT,
        mode: Literal["TOOLS", "CODE"] | Omit = OMIT,
        settings: models.GivenMcpServerSettings | Mapping[str, Any] | Omit = OMIT,
        auth_mode: Literal["oauth", "bearer", "oauth_and_bearer"] | Omit = OMIT,
        end_user_access: Literal["restricted", "open"] | Omit = OMIT,
        end_user_id: str | None | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.McpServersUpdateResponse:
        """Update an MCP server: `PATCH /api/v1/mcp/servers/{id}`.

        Updates the specified fields of an MCP server. Disabling bearer tokens or OAuth revokes all tokens of that kind.

        :param name: The name.
        :param description: Null removes it.
        :param mode: The tools for agents: `TOOLS` (each action is a tool) or `CODE` (one tool that runs code).
        :param settings: The settings. Omitted fields are reset to their defaults.
        :param auth_mode: How agents authenticate: `oauth`, `bearer` or `oauth_and_bearer`.
        :param end_user_access: The access of end users to authorization: `restricted` (existing end users) or `open` (everyone who signs in).
        :param end_user_id: Null for all end users of the workspace.

        Fails with `NOT_FOUND`, `END_USER_NOT_FOUND`.
        """
        request: Request[models.McpServersUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/mcp/servers/{id}", id),
            body={
                "name": name,
                "description": description,
                "mode": mode,
                "settings": settings,
                "authMode": auth_mode,
                "endUserAccess": end_user_access,
                "endUserId": end_user_id,
            },
            returns={200: models.McpServersUpdateResponse},
        )
        return self._transport.send(request, options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete an MCP server: `DELETE /api/v1/mcp/servers/{id}`.

        Deletes an MCP server with its tools and tokens.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/mcp/servers/{id}", id), returns={200: models.Deleted})
        return self._transport.send(request, options)

    def suspend(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.McpServersSuspendResponse:
        """Suspend an MCP server: `POST /api/v1/mcp/servers/{id}/suspend`.

        Suspends an MCP server: agents cannot connect until it is resumed. It can be read and deleted, and is listed with `includeSuspended`.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.McpServersSuspendResponse] = Request(
            "POST", to_path("/api/v1/mcp/servers/{id}/suspend", id), returns={200: models.McpServersSuspendResponse}
        )
        return self._transport.send(request, options)

    def resume(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.McpServersResumeResponse:
        """Resume an MCP server: `POST /api/v1/mcp/servers/{id}/resume`.

        Resumes a suspended MCP server.

        Fails with `QUOTA_EXCEEDED`, `NOT_FOUND`.
        """
        request: Request[models.McpServersResumeResponse] = Request(
            "POST", to_path("/api/v1/mcp/servers/{id}/resume", id), returns={200: models.McpServersResumeResponse}
        )
        return self._transport.send(request, options)

    def add_tool(
        self,
        id: str,
        *,
        integration_name: str,
        action_name: str,
        integration_alias: str | Omit = OMIT,
        tool_type: Literal["ACTION"] | Omit = OMIT,
        connection_id: str | Omit = OMIT,
        display_name: str | Omit = OMIT,
        description: str | Omit = OMIT,
        input_defaults: Mapping[str, Any] | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        sort_order: float | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.McpServersAddToolResponse:
        """Add an MCP tool: `POST /api/v1/mcp/servers/{id}/tools`.

        Adds a tool to the actions that the server offers, or replaces the tool with the same alias and name. Actions that the workspace does
        not enable are not offered.

        :param integration_name: The name of the integration, such as `github`.
        :param action_name: The name of the action, such as `create_issue`.
        :param integration_alias: The alias in the names of tools. Defaults to integrationName. An alias belongs to one integration.
        :param tool_type: Always `ACTION`.
        :param connection_id: The connection for all callers. It must belong to the organization or the workspace. By default, the configured integration with that alias selects it.
        :param display_name: The name that people read.
        :param description: The description that people and models read.
        :param input_defaults: Default input, which the input of the caller overrides. SECRET_TEXT properties are not allowed. At most 64 kB as JSON.
        :param partial_ids: At most 10 input partials of the configured integration with that alias. Defaults to its default partials. An empty list applies no partials.
        :param sort_order: The position in lists: any finite number.
        :param workspace_integration_id: The configured integration of the tool. Defaults to the configured integration with the alias, or else to the one that an execution without a selector uses. Required if the integration is configured more than once, none is the default and the account depends on it.

        Fails with `NOT_FOUND`, `DUPLICATE`, `ALIAS_CONFLICT`.
        """
        request: Request[models.McpServersAddToolResponse] = Request(
            "POST",
            to_path("/api/v1/mcp/servers/{id}/tools", id),
            body={
                "integrationName": integration_name,
                "actionName": action_name,
                "integrationAlias": integration_alias,
                "toolType": tool_type,
                "connectionId": connection_id,
                "displayName": display_name,
                "description": description,
                "inputDefaults": input_defaults,
                "partialIds": partial_ids,
                "sortOrder": sort_order,
                "workspaceIntegrationId": workspace_integration_id,
            },
            returns={201: models.McpServersAddToolResponse},
        )
        return self._transport.send(request, options)

    def update_tool(
        self,
        id: str,
        tool_id: str,
        *,
        display_name: str | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        input_defaults: Mapping[str, Any] | None | Omit = OMIT,
        connection_id: str | None | Omit = OMIT,
        sort_order: float | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        partial_ids: Sequence[str] | None | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.McpServersUpdateToolResponse:
        """Update an MCP tool: `PATCH /api/v1/mcp/servers/{id}/tools/{toolId}`.

        Updates the specified fields of a tool.

        :param display_name: Null removes it.
        :param description: Null removes it.
        :param input_defaults: Replaces all default input. Null removes it. At most 64 kB as JSON.
        :param connection_id: If null, the configured integration selects the connection.
        :param sort_order: The position in lists: any finite number.
        :param integration_alias: The alias of the configured integration.
        :param partial_ids: Replaces the whole list. Null selects the default partials; an empty list selects none.
        :param workspace_integration_id: The id of the configured integration.

        Fails with `NOT_FOUND`, `DUPLICATE`, `ALIAS_CONFLICT`.
        """
        request: Request[models.McpServersUpdateToolResponse] = Request(
            "PATCH",
            to_path("/api/v1/mcp/servers/{id}/tools/{toolId}", id, tool_id),
            body={
                "displayName": display_name,
                "description": description,
                "inputDefaults": input_defaults,
                "connectionId": connection_id,
                "sortOrder": sort_order,
                "integrationAlias": integration_alias,
                "partialIds": partial_ids,
                "workspaceIntegrationId": workspace_integration_id,
            },
            returns={200: models.McpServersUpdateToolResponse},
        )
        return self._transport.send(request, options)

    def remove_tool(
        self,
        id: str,
        tool_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Remove an MCP tool: `DELETE /api/v1/mcp/servers/{id}/tools/{toolId}`.

        Removes a tool from an MCP server.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request(
            "DELETE", to_path("/api/v1/mcp/servers/{id}/tools/{toolId}", id, tool_id), returns={200: models.Deleted}
        )
        return self._transport.send(request, options)

    def issue_access_token(
        self,
        id: str,
        *,
        end_user_id: str,
        scopes: Sequence[Literal["mcp:tools", "mcp:code"]] | Omit = OMIT,
        expires_in: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.IssuedMcpBearer:
        """Issue an MCP access token: `POST /api/v1/mcp/servers/{id}/access-tokens`.

        Creates a bearer token for the agents of one end user. Calls with it run on behalf of that end user, with their connections.

        :param end_user_id: The externalId or id of the end user that calls act for.
        :param scopes: The scopes: mcp:tools or mcp:code. Defaults to the scopes of the server's mode.
        :param expires_in: The lifetime in seconds.

        Fails with `INVALID_MCP_SCOPES`, `NOT_FOUND`, `END_USER_NOT_FOUND`, `MCP_BEARER_DISABLED`.
        """
        request: Request[models.IssuedMcpBearer] = Request(
            "POST",
            to_path("/api/v1/mcp/servers/{id}/access-tokens", id),
            body={"endUserId": end_user_id, "scopes": scopes, "expiresIn": expires_in},
            returns={201: models.IssuedMcpBearer},
        )
        return self._transport.send(request, options)

    def issue_oauth_token(
        self,
        id: str,
        *,
        end_user_id: str,
        scopes: Sequence[Literal["mcp:tools", "mcp:code"]] | Omit = OMIT,
        expires_in: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.IssuedMcpOAuthToken:
        """Issue an MCP OAuth token: `POST /api/v1/mcp/servers/{id}/oauth-tokens`.

        Creates an OAuth access token for an end user without their consent page.

        :param end_user_id: The externalId or id of the end user that calls act for.
        :param scopes: The scopes: mcp:tools or mcp:code. Defaults to the scopes of the server's mode.
        :param expires_in: The lifetime in seconds.

        Fails with `INVALID_MCP_SCOPES`, `NOT_FOUND`, `END_USER_NOT_FOUND`, `MCP_OAUTH_DISABLED`.
        """
        request: Request[models.IssuedMcpOAuthToken] = Request(
            "POST",
            to_path("/api/v1/mcp/servers/{id}/oauth-tokens", id),
            body={"endUserId": end_user_id, "scopes": scopes, "expiresIn": expires_in},
            returns={201: models.IssuedMcpOAuthToken},
        )
        return self._transport.send(request, options)

    def list_tokens(
        self,
        id: str,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.McpTokenList, models.StoredMcpToken]:
        """List MCP tokens: `GET /api/v1/mcp/servers/{id}/tokens`.

        Lists the tokens of end users that have not expired. The response contains no token values.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.McpTokenList] = Request(
            "GET", to_path("/api/v1/mcp/servers/{id}/tokens", id), query={"limit": limit, "offset": offset}, returns={200: models.McpTokenList}
        )
        return self._transport.pages(request, options, models.StoredMcpToken, "tokens")

    def revoke_token(
        self,
        id: str,
        token_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Revoke an MCP token: `DELETE /api/v1/mcp/servers/{id}/tokens/{tokenId}`.

        Revokes one token. Requests with it are rejected immediately. For a token that an end user authorized by OAuth, the whole authorization is
        revoked, including its refresh token.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request(
            "DELETE", to_path("/api/v1/mcp/servers/{id}/tokens/{tokenId}", id, token_id), returns={200: models.Deleted}
        )
        return self._transport.send(request, options)

    def regenerate_bearer(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.McpServersRegenerateBearerResponse:
        """Regenerate an MCP bearer token: `POST /api/v1/mcp/servers/{id}/regenerate-token`.

        Creates a new static bearer token. No other response contains it. The previous token is revoked immediately.

        Fails with `NOT_FOUND`, `MCP_BEARER_DISABLED`, `MCP_STATIC_BEARER_INCOMPATIBLE`.
        """
        request: Request[models.McpServersRegenerateBearerResponse] = Request(
            "POST", to_path("/api/v1/mcp/servers/{id}/regenerate-token", id), returns={200: models.McpServersRegenerateBearerResponse}
        )
        return self._transport.send(request, options)

    def execute_code(
        self,
        id: str,
        *,
        code: str | Omit = OMIT,
        approval_id: str | Omit = OMIT,
        wait_for_approval_seconds: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.CodeResult:
        """Run a program at an MCP server: `POST /api/v1/mcp/servers/{id}/execute-code`.

        Runs a program that calls the actions of an MCP server of mode CODE as `svc.<alias>.<action>(input)`, for at most 5 minutes. Send `code`, or the
        `approvalId` of a run that waits for an approval. An error of the program is returned as a result with `isError`.

        :param code: The body of an async function, in JavaScript or TypeScript.
        :param approval_id: The approval of a waiting run, with the prefix `apr_`. The stored run continues.
        :param wait_for_approval_seconds: Seconds to wait for a pending approval, with `approvalId`. Defaults to `settings.codeMode.approvalWaitSeconds` of the server.

        Fails with `INVALID_CODE_EXECUTE_REQUEST`, `QUOTA_EXCEEDED`, `NOT_FOUND`, `END_USER_NOT_FOUND`.
        """
        request: Request[models.CodeResult] = Request(
            "POST",
            to_path("/api/v1/mcp/servers/{id}/execute-code", id),
            body={"code": code, "approvalId": approval_id, "waitForApprovalSeconds": wait_for_approval_seconds},
            returns={200: models.CodeResult},
            takes_long=True,
        )
        return self._transport.send(request, options)

    def get_declarations(
        self,
        id: str,
        integration_or_alias: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.McpDeclarations:
        """Get the declarations of an MCP server: `GET /api/v1/mcp/servers/{id}/declarations/{integrationOrAlias}`.

        Returns the TypeScript declarations of the actions of one alias, or of all aliases of one integration, as programs of the server call
        them. Inputs that partials enforce are omitted; inputs with a default are optional.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.McpDeclarations] = Request(
            "GET",
            to_path("/api/v1/mcp/servers/{id}/declarations/{integrationOrAlias}", id, integration_or_alias),
            returns={200: models.McpDeclarations},
        )
        return self._transport.send(request, options)


class AsyncMcpServers:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        include_suspended: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.McpServerList, models.McpServer]:
        """List MCP servers: `GET /api/v1/mcp/servers`.

        Lists MCP servers, newest first.

        :param workspace_id: Returns only servers of this workspace.
        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        :param include_suspended: Includes suspended servers.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.McpServerList] = Request(
            "GET",
            "/api/v1/mcp/servers",
            query={"workspaceId": workspace_id, "limit": limit, "offset": offset, "includeSuspended": include_suspended},
            returns={200: models.McpServerList},
        )
        return await self._transport.pages(request, options, models.McpServer, "servers")

    async def create(
        self,
        *,
        name: str,
        workspace_id: str,
        description: str | Omit = OMIT,
        mode: Literal["TOOLS", "CODE"] | Omit = OMIT,
        settings: models.GivenMcpServerSettings | Mapping[str, Any] | Omit = OMIT,
        auth_mode: Literal["oauth", "bearer", "oauth_and_bearer"] | Omit = OMIT,
        end_user_access: Literal["restricted", "open"] | Omit = OMIT,
        created_by: str | Omit = OMIT,
        end_user_id: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.CreatedMcpServer:
        """Create an MCP server: `POST /api/v1/mcp/servers`.

        Creates an MCP server that offers the integrations of a workspace to agents. The response contains `bearerToken` if `authMode` includes
        bearer tokens and a token can be shared: no integration of the workspace needs a connection per user, or the server belongs to one end
        user.

        :param name: The name.
        :param workspace_id: The id of the workspace.
        :param description: The description that people and models read.
        :param mode: The mode. TOOLS: each action is a tool. CODE: the tools find actions and run code that calls them.
        :param settings: The settings of the server.
        :param auth_mode: How agents authenticate: `oauth`, `bearer` or `oauth_and_bearer`.
        :param end_user_access: The access of end users. restricted: only end users of the workspace. open: everyone who signs in.
        :param created_by: A label of the creator of the server.
        :param end_user_id: The externalId of the only end user of the server.

        Fails with `QUOTA_EXCEEDED`, `NOT_FOUND`, `END_USER_NOT_FOUND`.
        """
        request: Request[models.CreatedMcpServer] = Request(
            "POST",
            "/api/v1/mcp/servers",
            body={
                "name": name,
                "workspaceId": workspace_id,
                "description": description,
                "mode": mode,
                "settings": settings,
                "authMode": auth_mode,
                "endUserAccess": end_user_access,
                "createdBy": created_by,
                "endUserId": end_user_id,
            },
            returns={201: models.CreatedMcpServer},
        )
        return await self._transport.send(request, options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.McpServersGetResponse:
        """Get an MCP server: `GET /api/v1/mcp/servers/{id}`.

        Returns an MCP server with the tools that were added to it. It also offers the enabled actions of the workspace.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.McpServersGetResponse] = Request(
            "GET", to_path("/api/v1/mcp/servers/{id}", id), returns={200: models.McpServersGetResponse}
        )
        return await self._transport.send(request, options)

    async def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        description: str | None | Omit = OMIT,
        mode: Literal["TOOLS", "CODE"] | Omit = OMIT,
        settings: models.GivenMcpServerSettings | Mapping[str, Any] | Omit = OMIT,
        auth_mode: Literal["oauth", "bearer", "oauth_and_bearer"] | Omit = OMIT,
        end_user_access: Literal["restricted", "open"] | Omit = OMIT,
        end_user_id: str | None | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.McpServersUpdateResponse:
        """Update an MCP server: `PATCH /api/v1/mcp/servers/{id}`.

        Updates the specified fields of an MCP server. Disabling bearer tokens or OAuth revokes all tokens of that kind.

        :param name: The name.
        :param description: Null removes it.
        :param mode: The tools for agents: `TOOLS` (each action is a tool) or `CODE` (one tool that runs code).
        :param settings: The settings. Omitted fields are reset to their defaults.
        :param auth_mode: How agents authenticate: `oauth`, `bearer` or `oauth_and_bearer`.
        :param end_user_access: The access of end users to authorization: `restricted` (existing end users) or `open` (everyone who signs in).
        :param end_user_id: Null for all end users of the workspace.

        Fails with `NOT_FOUND`, `END_USER_NOT_FOUND`.
        """
        request: Request[models.McpServersUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/mcp/servers/{id}", id),
            body={
                "name": name,
                "description": description,
                "mode": mode,
                "settings": settings,
                "authMode": auth_mode,
                "endUserAccess": end_user_access,
                "endUserId": end_user_id,
            },
            returns={200: models.McpServersUpdateResponse},
        )
        return await self._transport.send(request, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete an MCP server: `DELETE /api/v1/mcp/servers/{id}`.

        Deletes an MCP server with its tools and tokens.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/mcp/servers/{id}", id), returns={200: models.Deleted})
        return await self._transport.send(request, options)

    async def suspend(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.McpServersSuspendResponse:
        """Suspend an MCP server: `POST /api/v1/mcp/servers/{id}/suspend`.

        Suspends an MCP server: agents cannot connect until it is resumed. It can be read and deleted, and is listed with `includeSuspended`.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.McpServersSuspendResponse] = Request(
            "POST", to_path("/api/v1/mcp/servers/{id}/suspend", id), returns={200: models.McpServersSuspendResponse}
        )
        return await self._transport.send(request, options)

    async def resume(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.McpServersResumeResponse:
        """Resume an MCP server: `POST /api/v1/mcp/servers/{id}/resume`.

        Resumes a suspended MCP server.

        Fails with `QUOTA_EXCEEDED`, `NOT_FOUND`.
        """
        request: Request[models.McpServersResumeResponse] = Request(
            "POST", to_path("/api/v1/mcp/servers/{id}/resume", id), returns={200: models.McpServersResumeResponse}
        )
        return await self._transport.send(request, options)

    async def add_tool(
        self,
        id: str,
        *,
        integration_name: str,
        action_name: str,
        integration_alias: str | Omit = OMIT,
        tool_type: Literal["ACTION"] | Omit = OMIT,
        connection_id: str | Omit = OMIT,
        display_name: str | Omit = OMIT,
        description: str | Omit = OMIT,
        input_defaults: Mapping[str, Any] | Omit = OMIT,
        partial_ids: Sequence[str] | Omit = OMIT,
        sort_order: float | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.McpServersAddToolResponse:
        """Add an MCP tool: `POST /api/v1/mcp/servers/{id}/tools`.

        Adds a tool to the actions that the server offers, or replaces the tool with the same alias and name. Actions that the workspace does
        not enable are not offered.

        :param integration_name: The name of the integration, such as `github`.
        :param action_name: The name of the action, such as `create_issue`.
        :param integration_alias: The alias in the names of tools. Defaults to integrationName. An alias belongs to one integration.
        :param tool_type: Always `ACTION`.
        :param connection_id: The connection for all callers. It must belong to the organization or the workspace. By default, the configured integration with that alias selects it.
        :param display_name: The name that people read.
        :param description: The description that people and models read.
        :param input_defaults: Default input, which the input of the caller overrides. SECRET_TEXT properties are not allowed. At most 64 kB as JSON.
        :param partial_ids: At most 10 input partials of the configured integration with that alias. Defaults to its default partials. An empty list applies no partials.
        :param sort_order: The position in lists: any finite number.
        :param workspace_integration_id: The configured integration of the tool. Defaults to the configured integration with the alias, or else to the one that an execution without a selector uses. Required if the integration is configured more than once, none is the default and the account depends on it.

        Fails with `NOT_FOUND`, `DUPLICATE`, `ALIAS_CONFLICT`.
        """
        request: Request[models.McpServersAddToolResponse] = Request(
            "POST",
            to_path("/api/v1/mcp/servers/{id}/tools", id),
            body={
                "integrationName": integration_name,
                "actionName": action_name,
                "integrationAlias": integration_alias,
                "toolType": tool_type,
                "connectionId": connection_id,
                "displayName": display_name,
                "description": description,
                "inputDefaults": input_defaults,
                "partialIds": partial_ids,
                "sortOrder": sort_order,
                "workspaceIntegrationId": workspace_integration_id,
            },
            returns={201: models.McpServersAddToolResponse},
        )
        return await self._transport.send(request, options)

    async def update_tool(
        self,
        id: str,
        tool_id: str,
        *,
        display_name: str | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        input_defaults: Mapping[str, Any] | None | Omit = OMIT,
        connection_id: str | None | Omit = OMIT,
        sort_order: float | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        partial_ids: Sequence[str] | None | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.McpServersUpdateToolResponse:
        """Update an MCP tool: `PATCH /api/v1/mcp/servers/{id}/tools/{toolId}`.

        Updates the specified fields of a tool.

        :param display_name: Null removes it.
        :param description: Null removes it.
        :param input_defaults: Replaces all default input. Null removes it. At most 64 kB as JSON.
        :param connection_id: If null, the configured integration selects the connection.
        :param sort_order: The position in lists: any finite number.
        :param integration_alias: The alias of the configured integration.
        :param partial_ids: Replaces the whole list. Null selects the default partials; an empty list selects none.
        :param workspace_integration_id: The id of the configured integration.

        Fails with `NOT_FOUND`, `DUPLICATE`, `ALIAS_CONFLICT`.
        """
        request: Request[models.McpServersUpdateToolResponse] = Request(
            "PATCH",
            to_path("/api/v1/mcp/servers/{id}/tools/{toolId}", id, tool_id),
            body={
                "displayName": display_name,
                "description": description,
                "inputDefaults": input_defaults,
                "connectionId": connection_id,
                "sortOrder": sort_order,
                "integrationAlias": integration_alias,
                "partialIds": partial_ids,
                "workspaceIntegrationId": workspace_integration_id,
            },
            returns={200: models.McpServersUpdateToolResponse},
        )
        return await self._transport.send(request, options)

    async def remove_tool(
        self,
        id: str,
        tool_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Remove an MCP tool: `DELETE /api/v1/mcp/servers/{id}/tools/{toolId}`.

        Removes a tool from an MCP server.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request(
            "DELETE", to_path("/api/v1/mcp/servers/{id}/tools/{toolId}", id, tool_id), returns={200: models.Deleted}
        )
        return await self._transport.send(request, options)

    async def issue_access_token(
        self,
        id: str,
        *,
        end_user_id: str,
        scopes: Sequence[Literal["mcp:tools", "mcp:code"]] | Omit = OMIT,
        expires_in: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.IssuedMcpBearer:
        """Issue an MCP access token: `POST /api/v1/mcp/servers/{id}/access-tokens`.

        Creates a bearer token for the agents of one end user. Calls with it run on behalf of that end user, with their connections.

        :param end_user_id: The externalId or id of the end user that calls act for.
        :param scopes: The scopes: mcp:tools or mcp:code. Defaults to the scopes of the server's mode.
        :param expires_in: The lifetime in seconds.

        Fails with `INVALID_MCP_SCOPES`, `NOT_FOUND`, `END_USER_NOT_FOUND`, `MCP_BEARER_DISABLED`.
        """
        request: Request[models.IssuedMcpBearer] = Request(
            "POST",
            to_path("/api/v1/mcp/servers/{id}/access-tokens", id),
            body={"endUserId": end_user_id, "scopes": scopes, "expiresIn": expires_in},
            returns={201: models.IssuedMcpBearer},
        )
        return await self._transport.send(request, options)

    async def issue_oauth_token(
        self,
        id: str,
        *,
        end_user_id: str,
        scopes: Sequence[Literal["mcp:tools", "mcp:code"]] | Omit = OMIT,
        expires_in: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.IssuedMcpOAuthToken:
        """Issue an MCP OAuth token: `POST /api/v1/mcp/servers/{id}/oauth-tokens`.

        Creates an OAuth access token for an end user without their consent page.

        :param end_user_id: The externalId or id of the end user that calls act for.
        :param scopes: The scopes: mcp:tools or mcp:code. Defaults to the scopes of the server's mode.
        :param expires_in: The lifetime in seconds.

        Fails with `INVALID_MCP_SCOPES`, `NOT_FOUND`, `END_USER_NOT_FOUND`, `MCP_OAUTH_DISABLED`.
        """
        request: Request[models.IssuedMcpOAuthToken] = Request(
            "POST",
            to_path("/api/v1/mcp/servers/{id}/oauth-tokens", id),
            body={"endUserId": end_user_id, "scopes": scopes, "expiresIn": expires_in},
            returns={201: models.IssuedMcpOAuthToken},
        )
        return await self._transport.send(request, options)

    async def list_tokens(
        self,
        id: str,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.McpTokenList, models.StoredMcpToken]:
        """List MCP tokens: `GET /api/v1/mcp/servers/{id}/tokens`.

        Lists the tokens of end users that have not expired. The response contains no token values.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.McpTokenList] = Request(
            "GET", to_path("/api/v1/mcp/servers/{id}/tokens", id), query={"limit": limit, "offset": offset}, returns={200: models.McpTokenList}
        )
        return await self._transport.pages(request, options, models.StoredMcpToken, "tokens")

    async def revoke_token(
        self,
        id: str,
        token_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Revoke an MCP token: `DELETE /api/v1/mcp/servers/{id}/tokens/{tokenId}`.

        Revokes one token. Requests with it are rejected immediately. For a token that an end user authorized by OAuth, the whole authorization is
        revoked, including its refresh token.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request(
            "DELETE", to_path("/api/v1/mcp/servers/{id}/tokens/{tokenId}", id, token_id), returns={200: models.Deleted}
        )
        return await self._transport.send(request, options)

    async def regenerate_bearer(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.McpServersRegenerateBearerResponse:
        """Regenerate an MCP bearer token: `POST /api/v1/mcp/servers/{id}/regenerate-token`.

        Creates a new static bearer token. No other response contains it. The previous token is revoked immediately.

        Fails with `NOT_FOUND`, `MCP_BEARER_DISABLED`, `MCP_STATIC_BEARER_INCOMPATIBLE`.
        """
        request: Request[models.McpServersRegenerateBearerResponse] = Request(
            "POST", to_path("/api/v1/mcp/servers/{id}/regenerate-token", id), returns={200: models.McpServersRegenerateBearerResponse}
        )
        return await self._transport.send(request, options)

    async def execute_code(
        self,
        id: str,
        *,
        code: str | Omit = OMIT,
        approval_id: str | Omit = OMIT,
        wait_for_approval_seconds: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.CodeResult:
        """Run a program at an MCP server: `POST /api/v1/mcp/servers/{id}/execute-code`.

        Runs a program that calls the actions of an MCP server of mode CODE as `svc.<alias>.<action>(input)`, for at most 5 minutes. Send `code`, or the
        `approvalId` of a run that waits for an approval. An error of the program is returned as a result with `isError`.

        :param code: The body of an async function, in JavaScript or TypeScript.
        :param approval_id: The approval of a waiting run, with the prefix `apr_`. The stored run continues.
        :param wait_for_approval_seconds: Seconds to wait for a pending approval, with `approvalId`. Defaults to `settings.codeMode.approvalWaitSeconds` of the server.

        Fails with `INVALID_CODE_EXECUTE_REQUEST`, `QUOTA_EXCEEDED`, `NOT_FOUND`, `END_USER_NOT_FOUND`.
        """
        request: Request[models.CodeResult] = Request(
            "POST",
            to_path("/api/v1/mcp/servers/{id}/execute-code", id),
            body={"code": code, "approvalId": approval_id, "waitForApprovalSeconds": wait_for_approval_seconds},
            returns={200: models.CodeResult},
            takes_long=True,
        )
        return await self._transport.send(request, options)

    async def get_declarations(
        self,
        id: str,
        integration_or_alias: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.McpDeclarations:
        """Get the declarations of an MCP server: `GET /api/v1/mcp/servers/{id}/declarations/{integrationOrAlias}`.

        Returns the TypeScript declarations of the actions of one alias, or of all aliases of one integration, as programs of the server call
        them. Inputs that partials enforce are omitted; inputs with a default are optional.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.McpDeclarations] = Request(
            "GET",
            to_path("/api/v1/mcp/servers/{id}/declarations/{integrationOrAlias}", id, integration_or_alias),
            returns={200: models.McpDeclarations},
        )
        return await self._transport.send(request, options)


class ApprovalPolicies:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.ApprovalPolicyList, models.ApprovalPolicy]:
        """List approval policies: `GET /api/v1/approval-policies`.

        Lists approval policies, newest first. With `workspaceId` the list contains only policies of that workspace, without those of the
        organization.

        :param workspace_id: Returns only policies of this workspace.
        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalPolicyList] = Request(
            "GET",
            "/api/v1/approval-policies",
            query={"workspaceId": workspace_id, "limit": limit, "offset": offset},
            returns={200: models.ApprovalPolicyList},
        )
        return self._transport.pages(request, options, models.ApprovalPolicy, "policies")

    def create(
        self,
        *,
        name: str,
        workspace_id: str | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        enabled: bool | Omit = OMIT,
        priority: int | Omit = OMIT,
        sources: Sequence[Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"]] | Omit = OMIT,
        mcp_server_ids: Sequence[str] | Omit = OMIT,
        workspace_integration_ids: Sequence[str] | Omit = OMIT,
        integration_names: Sequence[str] | Omit = OMIT,
        integration_aliases: Sequence[str] | Omit = OMIT,
        action_names: Sequence[str] | Omit = OMIT,
        connection_strategies: Sequence[Literal["fixed", "per_user", "per_user_with_fallback"]] | Omit = OMIT,
        end_user_mode: Literal["any", "end_user_present", "no_end_user"] | Omit = OMIT,
        decision: Literal["require_approval", "notify_only", "block", "auto_approve"] | Omit = OMIT,
        risk_mode: Literal["rules", "always", "model_assisted"] | Omit = OMIT,
        rules: models.ApprovalRules | Mapping[str, Any] | Omit = OMIT,
        approvers: Sequence[models.ApprovalApprover | Mapping[str, Any]] | Omit = OMIT,
        timeout_seconds: int | Omit = OMIT,
        default_on_timeout: Literal["reject", "expire"] | Omit = OMIT,
        reuse_window_seconds: int | None | Omit = OMIT,
        approval_access_mode: Literal["dashboard_only", "dashboard_and_hosted_link", "hosted_link_only"] | Omit = OMIT,
        metadata: Mapping[str, Any] | None | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ApprovalPoliciesCreateResponse:
        """Create an approval policy: `POST /api/v1/approval-policies`.

        Creates an approval policy. It takes effect within one second.

        :param name: The name.
        :param workspace_id: Omit it, or set null, for the whole organization.
        :param description: The description that people and models read.
        :param enabled: Whether the policy is evaluated.
        :param priority: The matching policy with the lowest number applies.
        :param sources: Sources: rest, sdk, mcp_tools, mcp_code, playground, trigger. As for all filters, an empty list matches every call.
        :param mcp_server_ids: MCP servers that the policy covers. Empty: every call, whatever its source.
        :param workspace_integration_ids: Configured integrations that the policy covers. Empty: all of them.
        :param integration_names: Integrations that the policy covers. Empty: every integration.
        :param integration_aliases: Aliases that the policy covers: of the call, or of the configured integration. Empty: every alias.
        :param action_names: Names of the actions that the policy covers. Empty: every action.
        :param connection_strategies: Connection strategies: fixed, per_user, per_user_with_fallback. A call without a configured integration counts as fixed, because it specifies its connection.
        :param end_user_mode: The calls that the policy covers, by end user.
        :param decision: The decision for a matching call.
        :param risk_mode: The risk mode: rules; always, which ignores the rules; or model_assisted, which evaluates the operator's model if no rule matches, and treats an unavailable model as a match.
        :param rules: The rules: any that matches gives a reason.
        :param approvers: The approvers and webhooks that are notified and can decide.
        :param timeout_seconds: The seconds until a pending request expires.
        :param default_on_timeout: reject: retries are rejected for the same duration again. expire: a retry opens a new request.
        :param reuse_window_seconds: The number of seconds during which an approval also covers identical calls. Omit it, or set null, to cover only one retry.
        :param approval_access_mode: The place of decisions: in the dashboard, by a hosted link, or both.
        :param metadata: At most 50 keys and 16 kB as JSON.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalPoliciesCreateResponse] = Request(
            "POST",
            "/api/v1/approval-policies",
            body={
                "name": name,
                "workspaceId": workspace_id,
                "description": description,
                "enabled": enabled,
                "priority": priority,
                "sources": sources,
                "mcpServerIds": mcp_server_ids,
                "workspaceIntegrationIds": workspace_integration_ids,
                "integrationNames": integration_names,
                "integrationAliases": integration_aliases,
                "actionNames": action_names,
                "connectionStrategies": connection_strategies,
                "endUserMode": end_user_mode,
                "decision": decision,
                "riskMode": risk_mode,
                "rules": rules,
                "approvers": approvers,
                "timeoutSeconds": timeout_seconds,
                "defaultOnTimeout": default_on_timeout,
                "reuseWindowSeconds": reuse_window_seconds,
                "approvalAccessMode": approval_access_mode,
                "metadata": metadata,
            },
            returns={201: models.ApprovalPoliciesCreateResponse},
        )
        return self._transport.send(request, options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ApprovalPoliciesGetResponse:
        """Get an approval policy: `GET /api/v1/approval-policies/{id}`.

        Returns an approval policy.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalPoliciesGetResponse] = Request(
            "GET", to_path("/api/v1/approval-policies/{id}", id), returns={200: models.ApprovalPoliciesGetResponse}
        )
        return self._transport.send(request, options)

    def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        workspace_id: str | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        enabled: bool | Omit = OMIT,
        priority: int | Omit = OMIT,
        sources: Sequence[Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"]] | Omit = OMIT,
        mcp_server_ids: Sequence[str] | Omit = OMIT,
        workspace_integration_ids: Sequence[str] | Omit = OMIT,
        integration_names: Sequence[str] | Omit = OMIT,
        integration_aliases: Sequence[str] | Omit = OMIT,
        action_names: Sequence[str] | Omit = OMIT,
        connection_strategies: Sequence[Literal["fixed", "per_user", "per_user_with_fallback"]] | Omit = OMIT,
        end_user_mode: Literal["any", "end_user_present", "no_end_user"] | Omit = OMIT,
        decision: Literal["require_approval", "notify_only", "block", "auto_approve"] | Omit = OMIT,
        risk_mode: Literal["rules", "always", "model_assisted"] | Omit = OMIT,
        rules: models.ApprovalRules | Mapping[str, Any] | Omit = OMIT,
        approvers: Sequence[models.ApprovalApprover | Mapping[str, Any]] | Omit = OMIT,
        timeout_seconds: int | Omit = OMIT,
        default_on_timeout: Literal["reject", "expire"] | Omit = OMIT,
        reuse_window_seconds: int | None | Omit = OMIT,
        approval_access_mode: Literal["dashboard_only", "dashboard_and_hosted_link", "hosted_link_only"] | Omit = OMIT,
        metadata: Mapping[str, Any] | None | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ApprovalPoliciesUpdateResponse:
        """Update an approval policy: `PATCH /api/v1/approval-policies/{id}`.

        Updates the specified fields of an approval policy. A list in the request replaces the stored list.

        :param name: The name.
        :param workspace_id: Null for the whole organization.
        :param description: The description that people and models read.
        :param enabled: Whether the policy is evaluated.
        :param priority: A policy with a lower number is evaluated first.
        :param sources: Replaces the whole list. The same applies to all other filters.
        :param mcp_server_ids: MCP servers that the policy covers. Empty: every call, whatever its source.
        :param workspace_integration_ids: Configured integrations that the policy covers. Empty: all of them.
        :param integration_names: Integrations that the policy covers. Empty: every integration.
        :param integration_aliases: Aliases that the policy covers: of the call, or of the configured integration. Empty: every alias.
        :param action_names: Names of the actions that the policy covers. Empty: every action.
        :param connection_strategies: Connection strategies that the policy covers. Empty: every strategy.
        :param end_user_mode: The calls that the policy covers, by end user.
        :param decision: The decision for a matching call.
        :param risk_mode: How the policy detects risk: `rules`, `always` or `model_assisted`.
        :param rules: Replaces the whole list.
        :param approvers: Replaces the whole list.
        :param timeout_seconds: How long a request can be decided, in seconds.
        :param default_on_timeout: The outcome of a retry after the request expired: `reject` or `expire`.
        :param reuse_window_seconds: How long an identical call runs under an earlier approval, in seconds.
        :param approval_access_mode: The place of decisions: in the dashboard, by a hosted link, or both.
        :param metadata: Null removes it. At most 50 keys and 16 kB as JSON.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalPoliciesUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/approval-policies/{id}", id),
            body={
                "name": name,
                "workspaceId": workspace_id,
                "description": description,
                "enabled": enabled,
                "priority": priority,
                "sources": sources,
                "mcpServerIds": mcp_server_ids,
                "workspaceIntegrationIds": workspace_integration_ids,
                "integrationNames": integration_names,
                "integrationAliases": integration_aliases,
                "actionNames": action_names,
                "connectionStrategies": connection_strategies,
                "endUserMode": end_user_mode,
                "decision": decision,
                "riskMode": risk_mode,
                "rules": rules,
                "approvers": approvers,
                "timeoutSeconds": timeout_seconds,
                "defaultOnTimeout": default_on_timeout,
                "reuseWindowSeconds": reuse_window_seconds,
                "approvalAccessMode": approval_access_mode,
                "metadata": metadata,
            },
            returns={200: models.ApprovalPoliciesUpdateResponse},
        )
        return self._transport.send(request, options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete an approval policy: `DELETE /api/v1/approval-policies/{id}`.

        Deletes an approval policy. Existing approval requests stay.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/approval-policies/{id}", id), returns={200: models.Deleted})
        return self._transport.send(request, options)

    def test(
        self,
        *,
        policy: models.ApprovalPolicyChanges | Mapping[str, Any],
        context: models.ApprovalTestContext | Mapping[str, Any],
        options: RequestOptions | None = None,
    ) -> models.ApprovalPolicyTest:
        """Test an approval policy: `POST /api/v1/approval-policies/test`.

        Evaluates a policy against a call. Stores and runs nothing.

        :param policy: The policy as for a create request. The name is optional.
        :param context: The call to test the policy against.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalPolicyTest] = Request(
            "POST", "/api/v1/approval-policies/test", body={"policy": policy, "context": context}, returns={200: models.ApprovalPolicyTest}
        )
        return self._transport.send(request, options)


class AsyncApprovalPolicies:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.ApprovalPolicyList, models.ApprovalPolicy]:
        """List approval policies: `GET /api/v1/approval-policies`.

        Lists approval policies, newest first. With `workspaceId` the list contains only policies of that workspace, without those of the
        organization.

        :param workspace_id: Returns only policies of this workspace.
        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalPolicyList] = Request(
            "GET",
            "/api/v1/approval-policies",
            query={"workspaceId": workspace_id, "limit": limit, "offset": offset},
            returns={200: models.ApprovalPolicyList},
        )
        return await self._transport.pages(request, options, models.ApprovalPolicy, "policies")

    async def create(
        self,
        *,
        name: str,
        workspace_id: str | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        enabled: bool | Omit = OMIT,
        priority: int | Omit = OMIT,
        sources: Sequence[Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"]] | Omit = OMIT,
        mcp_server_ids: Sequence[str] | Omit = OMIT,
        workspace_integration_ids: Sequence[str] | Omit = OMIT,
        integration_names: Sequence[str] | Omit = OMIT,
        integration_aliases: Sequence[str] | Omit = OMIT,
        action_names: Sequence[str] | Omit = OMIT,
        connection_strategies: Sequence[Literal["fixed", "per_user", "per_user_with_fallback"]] | Omit = OMIT,
        end_user_mode: Literal["any", "end_user_present", "no_end_user"] | Omit = OMIT,
        decision: Literal["require_approval", "notify_only", "block", "auto_approve"] | Omit = OMIT,
        risk_mode: Literal["rules", "always", "model_assisted"] | Omit = OMIT,
        rules: models.ApprovalRules | Mapping[str, Any] | Omit = OMIT,
        approvers: Sequence[models.ApprovalApprover | Mapping[str, Any]] | Omit = OMIT,
        timeout_seconds: int | Omit = OMIT,
        default_on_timeout: Literal["reject", "expire"] | Omit = OMIT,
        reuse_window_seconds: int | None | Omit = OMIT,
        approval_access_mode: Literal["dashboard_only", "dashboard_and_hosted_link", "hosted_link_only"] | Omit = OMIT,
        metadata: Mapping[str, Any] | None | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ApprovalPoliciesCreateResponse:
        """Create an approval policy: `POST /api/v1/approval-policies`.

        Creates an approval policy. It takes effect within one second.

        :param name: The name.
        :param workspace_id: Omit it, or set null, for the whole organization.
        :param description: The description that people and models read.
        :param enabled: Whether the policy is evaluated.
        :param priority: The matching policy with the lowest number applies.
        :param sources: Sources: rest, sdk, mcp_tools, mcp_code, playground, trigger. As for all filters, an empty list matches every call.
        :param mcp_server_ids: MCP servers that the policy covers. Empty: every call, whatever its source.
        :param workspace_integration_ids: Configured integrations that the policy covers. Empty: all of them.
        :param integration_names: Integrations that the policy covers. Empty: every integration.
        :param integration_aliases: Aliases that the policy covers: of the call, or of the configured integration. Empty: every alias.
        :param action_names: Names of the actions that the policy covers. Empty: every action.
        :param connection_strategies: Connection strategies: fixed, per_user, per_user_with_fallback. A call without a configured integration counts as fixed, because it specifies its connection.
        :param end_user_mode: The calls that the policy covers, by end user.
        :param decision: The decision for a matching call.
        :param risk_mode: The risk mode: rules; always, which ignores the rules; or model_assisted, which evaluates the operator's model if no rule matches, and treats an unavailable model as a match.
        :param rules: The rules: any that matches gives a reason.
        :param approvers: The approvers and webhooks that are notified and can decide.
        :param timeout_seconds: The seconds until a pending request expires.
        :param default_on_timeout: reject: retries are rejected for the same duration again. expire: a retry opens a new request.
        :param reuse_window_seconds: The number of seconds during which an approval also covers identical calls. Omit it, or set null, to cover only one retry.
        :param approval_access_mode: The place of decisions: in the dashboard, by a hosted link, or both.
        :param metadata: At most 50 keys and 16 kB as JSON.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalPoliciesCreateResponse] = Request(
            "POST",
            "/api/v1/approval-policies",
            body={
                "name": name,
                "workspaceId": workspace_id,
                "description": description,
                "enabled": enabled,
                "priority": priority,
                "sources": sources,
                "mcpServerIds": mcp_server_ids,
                "workspaceIntegrationIds": workspace_integration_ids,
                "integrationNames": integration_names,
                "integrationAliases": integration_aliases,
                "actionNames": action_names,
                "connectionStrategies": connection_strategies,
                "endUserMode": end_user_mode,
                "decision": decision,
                "riskMode": risk_mode,
                "rules": rules,
                "approvers": approvers,
                "timeoutSeconds": timeout_seconds,
                "defaultOnTimeout": default_on_timeout,
                "reuseWindowSeconds": reuse_window_seconds,
                "approvalAccessMode": approval_access_mode,
                "metadata": metadata,
            },
            returns={201: models.ApprovalPoliciesCreateResponse},
        )
        return await self._transport.send(request, options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ApprovalPoliciesGetResponse:
        """Get an approval policy: `GET /api/v1/approval-policies/{id}`.

        Returns an approval policy.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalPoliciesGetResponse] = Request(
            "GET", to_path("/api/v1/approval-policies/{id}", id), returns={200: models.ApprovalPoliciesGetResponse}
        )
        return await self._transport.send(request, options)

    async def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        workspace_id: str | None | Omit = OMIT,
        description: str | None | Omit = OMIT,
        enabled: bool | Omit = OMIT,
        priority: int | Omit = OMIT,
        sources: Sequence[Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"]] | Omit = OMIT,
        mcp_server_ids: Sequence[str] | Omit = OMIT,
        workspace_integration_ids: Sequence[str] | Omit = OMIT,
        integration_names: Sequence[str] | Omit = OMIT,
        integration_aliases: Sequence[str] | Omit = OMIT,
        action_names: Sequence[str] | Omit = OMIT,
        connection_strategies: Sequence[Literal["fixed", "per_user", "per_user_with_fallback"]] | Omit = OMIT,
        end_user_mode: Literal["any", "end_user_present", "no_end_user"] | Omit = OMIT,
        decision: Literal["require_approval", "notify_only", "block", "auto_approve"] | Omit = OMIT,
        risk_mode: Literal["rules", "always", "model_assisted"] | Omit = OMIT,
        rules: models.ApprovalRules | Mapping[str, Any] | Omit = OMIT,
        approvers: Sequence[models.ApprovalApprover | Mapping[str, Any]] | Omit = OMIT,
        timeout_seconds: int | Omit = OMIT,
        default_on_timeout: Literal["reject", "expire"] | Omit = OMIT,
        reuse_window_seconds: int | None | Omit = OMIT,
        approval_access_mode: Literal["dashboard_only", "dashboard_and_hosted_link", "hosted_link_only"] | Omit = OMIT,
        metadata: Mapping[str, Any] | None | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ApprovalPoliciesUpdateResponse:
        """Update an approval policy: `PATCH /api/v1/approval-policies/{id}`.

        Updates the specified fields of an approval policy. A list in the request replaces the stored list.

        :param name: The name.
        :param workspace_id: Null for the whole organization.
        :param description: The description that people and models read.
        :param enabled: Whether the policy is evaluated.
        :param priority: A policy with a lower number is evaluated first.
        :param sources: Replaces the whole list. The same applies to all other filters.
        :param mcp_server_ids: MCP servers that the policy covers. Empty: every call, whatever its source.
        :param workspace_integration_ids: Configured integrations that the policy covers. Empty: all of them.
        :param integration_names: Integrations that the policy covers. Empty: every integration.
        :param integration_aliases: Aliases that the policy covers: of the call, or of the configured integration. Empty: every alias.
        :param action_names: Names of the actions that the policy covers. Empty: every action.
        :param connection_strategies: Connection strategies that the policy covers. Empty: every strategy.
        :param end_user_mode: The calls that the policy covers, by end user.
        :param decision: The decision for a matching call.
        :param risk_mode: How the policy detects risk: `rules`, `always` or `model_assisted`.
        :param rules: Replaces the whole list.
        :param approvers: Replaces the whole list.
        :param timeout_seconds: How long a request can be decided, in seconds.
        :param default_on_timeout: The outcome of a retry after the request expired: `reject` or `expire`.
        :param reuse_window_seconds: How long an identical call runs under an earlier approval, in seconds.
        :param approval_access_mode: The place of decisions: in the dashboard, by a hosted link, or both.
        :param metadata: Null removes it. At most 50 keys and 16 kB as JSON.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalPoliciesUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/approval-policies/{id}", id),
            body={
                "name": name,
                "workspaceId": workspace_id,
                "description": description,
                "enabled": enabled,
                "priority": priority,
                "sources": sources,
                "mcpServerIds": mcp_server_ids,
                "workspaceIntegrationIds": workspace_integration_ids,
                "integrationNames": integration_names,
                "integrationAliases": integration_aliases,
                "actionNames": action_names,
                "connectionStrategies": connection_strategies,
                "endUserMode": end_user_mode,
                "decision": decision,
                "riskMode": risk_mode,
                "rules": rules,
                "approvers": approvers,
                "timeoutSeconds": timeout_seconds,
                "defaultOnTimeout": default_on_timeout,
                "reuseWindowSeconds": reuse_window_seconds,
                "approvalAccessMode": approval_access_mode,
                "metadata": metadata,
            },
            returns={200: models.ApprovalPoliciesUpdateResponse},
        )
        return await self._transport.send(request, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete an approval policy: `DELETE /api/v1/approval-policies/{id}`.

        Deletes an approval policy. Existing approval requests stay.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/approval-policies/{id}", id), returns={200: models.Deleted})
        return await self._transport.send(request, options)

    async def test(
        self,
        *,
        policy: models.ApprovalPolicyChanges | Mapping[str, Any],
        context: models.ApprovalTestContext | Mapping[str, Any],
        options: RequestOptions | None = None,
    ) -> models.ApprovalPolicyTest:
        """Test an approval policy: `POST /api/v1/approval-policies/test`.

        Evaluates a policy against a call. Stores and runs nothing.

        :param policy: The policy as for a create request. The name is optional.
        :param context: The call to test the policy against.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalPolicyTest] = Request(
            "POST", "/api/v1/approval-policies/test", body={"policy": policy, "context": context}, returns={200: models.ApprovalPolicyTest}
        )
        return await self._transport.send(request, options)


class Approvals:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        status: Literal["pending", "approved", "rejected", "expired", "canceled", "consumed"] | Omit = OMIT,
        source: Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"] | Omit = OMIT,
        integration_name: str | Omit = OMIT,
        action_name: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.ApprovalList, models.Approval]:
        """List approvals: `GET /api/v1/approvals`.

        Lists approvals, newest first. The order is stable while new approvals arrive: send `nextCursor` as `cursor` to get the next page.

        :param workspace_id: The id of the workspace.
        :param status: The status: pending, approved, rejected, expired, canceled or consumed.
        :param source: The source of the call: rest, sdk, playground, mcp_tools, mcp_code or trigger.
        :param integration_name: The name of the integration, such as `github`.
        :param action_name: The name of the action, such as `create_issue`.
        :param limit: The maximum number of items in the response.
        :param cursor: The `nextCursor` of the previous page.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalList] = Request(
            "GET",
            "/api/v1/approvals",
            query={
                "workspaceId": workspace_id,
                "status": status,
                "source": source,
                "integrationName": integration_name,
                "actionName": action_name,
                "limit": limit,
                "cursor": cursor,
            },
            returns={200: models.ApprovalList},
        )
        return self._transport.pages(request, options, models.Approval, "approvals")

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ApprovalsGetResponse:
        """Get an approval: `GET /api/v1/approvals/{id}`.

        Returns an approval with its recent webhook deliveries.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalsGetResponse] = Request(
            "GET", to_path("/api/v1/approvals/{id}", id), returns={200: models.ApprovalsGetResponse}
        )
        return self._transport.send(request, options)

    def approve(
        self,
        id: str,
        *,
        reason: str | Omit = OMIT,
        metadata: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.DecidedApproval:
        """Approve a call: `POST /api/v1/approvals/{id}/approve`.

        Approves a call. The same call with the same idempotency key can then run once, until the receipt expires. If the approval is no longer
        pending, nothing changes and the response is 409 with the current approval in `details.approval`.

        :param reason: The reason, shown with the decision and in the audit log.
        :param metadata: Metadata stored with the decision. At most 16 kB and 50 keys.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.DecidedApproval] = Request(
            "POST",
            to_path("/api/v1/approvals/{id}/approve", id),
            body={"reason": reason, "metadata": metadata},
            returns={200: models.DecidedApproval},
        )
        return self._transport.send(request, options)

    def reject(
        self,
        id: str,
        *,
        reason: str | Omit = OMIT,
        metadata: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.DecidedApproval:
        """Reject a call: `POST /api/v1/approvals/{id}/reject`.

        Rejects a call. The call does not run. Another request for it opens a new approval if the policy still matches.

        :param reason: The reason, shown with the decision and in the audit log.
        :param metadata: Metadata stored with the decision. At most 16 kB and 50 keys.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.DecidedApproval] = Request(
            "POST", to_path("/api/v1/approvals/{id}/reject", id), body={"reason": reason, "metadata": metadata}, returns={200: models.DecidedApproval}
        )
        return self._transport.send(request, options)

    def cancel(
        self,
        id: str,
        *,
        reason: str | Omit = OMIT,
        metadata: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.DecidedApproval:
        """Cancel an approval: `POST /api/v1/approvals/{id}/cancel`.

        Cancels a pending approval if its call is no longer needed.

        :param reason: The reason, shown with the decision and in the audit log.
        :param metadata: Metadata stored with the decision. At most 16 kB and 50 keys.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.DecidedApproval] = Request(
            "POST", to_path("/api/v1/approvals/{id}/cancel", id), body={"reason": reason, "metadata": metadata}, returns={200: models.DecidedApproval}
        )
        return self._transport.send(request, options)

    def redeliver_webhook(
        self,
        id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ApprovalsRedeliverWebhookResponse:
        """Redeliver an approval webhook: `POST /api/v1/approvals/{id}/deliveries/{deliveryId}/redeliver`.

        Redelivers a webhook after its delivery failed within the last 30 days: all attempts start again, the first immediately. The response is 409 if
        the delivery is pending or delivered, or if it requests a decision that was already made.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.ApprovalsRedeliverWebhookResponse] = Request(
            "POST",
            to_path("/api/v1/approvals/{id}/deliveries/{deliveryId}/redeliver", id, delivery_id),
            returns={200: models.ApprovalsRedeliverWebhookResponse},
        )
        return self._transport.send(request, options)

    def rotate_webhook_secret(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.NewWebhookSecret:
        """Rotate the webhook secret: `POST /api/v1/webhook-secret`.

        Creates a new secret to sign the organization's webhooks. The previous secret also signs them for 24 hours. No other response contains
        the secret.
        """
        request: Request[models.NewWebhookSecret] = Request("POST", "/api/v1/webhook-secret", returns={201: models.NewWebhookSecret})
        return self._transport.send(request, options)


class AsyncApprovals:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        status: Literal["pending", "approved", "rejected", "expired", "canceled", "consumed"] | Omit = OMIT,
        source: Literal["rest", "sdk", "playground", "mcp_tools", "mcp_code", "trigger"] | Omit = OMIT,
        integration_name: str | Omit = OMIT,
        action_name: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.ApprovalList, models.Approval]:
        """List approvals: `GET /api/v1/approvals`.

        Lists approvals, newest first. The order is stable while new approvals arrive: send `nextCursor` as `cursor` to get the next page.

        :param workspace_id: The id of the workspace.
        :param status: The status: pending, approved, rejected, expired, canceled or consumed.
        :param source: The source of the call: rest, sdk, playground, mcp_tools, mcp_code or trigger.
        :param integration_name: The name of the integration, such as `github`.
        :param action_name: The name of the action, such as `create_issue`.
        :param limit: The maximum number of items in the response.
        :param cursor: The `nextCursor` of the previous page.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalList] = Request(
            "GET",
            "/api/v1/approvals",
            query={
                "workspaceId": workspace_id,
                "status": status,
                "source": source,
                "integrationName": integration_name,
                "actionName": action_name,
                "limit": limit,
                "cursor": cursor,
            },
            returns={200: models.ApprovalList},
        )
        return await self._transport.pages(request, options, models.Approval, "approvals")

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ApprovalsGetResponse:
        """Get an approval: `GET /api/v1/approvals/{id}`.

        Returns an approval with its recent webhook deliveries.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApprovalsGetResponse] = Request(
            "GET", to_path("/api/v1/approvals/{id}", id), returns={200: models.ApprovalsGetResponse}
        )
        return await self._transport.send(request, options)

    async def approve(
        self,
        id: str,
        *,
        reason: str | Omit = OMIT,
        metadata: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.DecidedApproval:
        """Approve a call: `POST /api/v1/approvals/{id}/approve`.

        Approves a call. The same call with the same idempotency key can then run once, until the receipt expires. If the approval is no longer
        pending, nothing changes and the response is 409 with the current approval in `details.approval`.

        :param reason: The reason, shown with the decision and in the audit log.
        :param metadata: Metadata stored with the decision. At most 16 kB and 50 keys.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.DecidedApproval] = Request(
            "POST",
            to_path("/api/v1/approvals/{id}/approve", id),
            body={"reason": reason, "metadata": metadata},
            returns={200: models.DecidedApproval},
        )
        return await self._transport.send(request, options)

    async def reject(
        self,
        id: str,
        *,
        reason: str | Omit = OMIT,
        metadata: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.DecidedApproval:
        """Reject a call: `POST /api/v1/approvals/{id}/reject`.

        Rejects a call. The call does not run. Another request for it opens a new approval if the policy still matches.

        :param reason: The reason, shown with the decision and in the audit log.
        :param metadata: Metadata stored with the decision. At most 16 kB and 50 keys.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.DecidedApproval] = Request(
            "POST", to_path("/api/v1/approvals/{id}/reject", id), body={"reason": reason, "metadata": metadata}, returns={200: models.DecidedApproval}
        )
        return await self._transport.send(request, options)

    async def cancel(
        self,
        id: str,
        *,
        reason: str | Omit = OMIT,
        metadata: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.DecidedApproval:
        """Cancel an approval: `POST /api/v1/approvals/{id}/cancel`.

        Cancels a pending approval if its call is no longer needed.

        :param reason: The reason, shown with the decision and in the audit log.
        :param metadata: Metadata stored with the decision. At most 16 kB and 50 keys.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.DecidedApproval] = Request(
            "POST", to_path("/api/v1/approvals/{id}/cancel", id), body={"reason": reason, "metadata": metadata}, returns={200: models.DecidedApproval}
        )
        return await self._transport.send(request, options)

    async def redeliver_webhook(
        self,
        id: str,
        delivery_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ApprovalsRedeliverWebhookResponse:
        """Redeliver an approval webhook: `POST /api/v1/approvals/{id}/deliveries/{deliveryId}/redeliver`.

        Redelivers a webhook after its delivery failed within the last 30 days: all attempts start again, the first immediately. The response is 409 if
        the delivery is pending or delivered, or if it requests a decision that was already made.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.ApprovalsRedeliverWebhookResponse] = Request(
            "POST",
            to_path("/api/v1/approvals/{id}/deliveries/{deliveryId}/redeliver", id, delivery_id),
            returns={200: models.ApprovalsRedeliverWebhookResponse},
        )
        return await self._transport.send(request, options)

    async def rotate_webhook_secret(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.NewWebhookSecret:
        """Rotate the webhook secret: `POST /api/v1/webhook-secret`.

        Creates a new secret to sign the organization's webhooks. The previous secret also signs them for 24 hours. No other response contains
        the secret.
        """
        request: Request[models.NewWebhookSecret] = Request("POST", "/api/v1/webhook-secret", returns={201: models.NewWebhookSecret})
        return await self._transport.send(request, options)


class Executions:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.ExecutionList, models.Execution]:
        """List executions: `GET /api/v1/executions`.

        Lists executions, newest first. The order is stable while new executions arrive: send `nextCursor` as `cursor` to get the next page.

        :param workspace_id: The id of the workspace.
        :param limit: The maximum number of items in the response.
        :param cursor: The `nextCursor` of the previous page.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ExecutionList] = Request(
            "GET", "/api/v1/executions", query={"workspaceId": workspace_id, "limit": limit, "cursor": cursor}, returns={200: models.ExecutionList}
        )
        return self._transport.pages(request, options, models.Execution, "executions")

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ExecutionsGetResponse:
        """Get an execution: `GET /api/v1/executions/{id}`.

        Returns one entry of the execution log.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ExecutionsGetResponse] = Request(
            "GET", to_path("/api/v1/executions/{id}", id), returns={200: models.ExecutionsGetResponse}
        )
        return self._transport.send(request, options)

    def stream_events(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Iterator[Event]:
        """Stream the events of an execution: `GET /api/v1/executions/{id}/events`.

        Streams the events of a run (server-sent events): `console` for each line, then `end` with its status. Send `Last-Event-ID` to continue after a
        line. A stream that closes without `end` must be opened again.

        Fails with `NOT_FOUND`.
        """
        request: Request[Event] = Request("GET", to_path("/api/v1/executions/{id}/events", id))
        return self._transport.stream(request, options, Event)


class AsyncExecutions:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        cursor: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.ExecutionList, models.Execution]:
        """List executions: `GET /api/v1/executions`.

        Lists executions, newest first. The order is stable while new executions arrive: send `nextCursor` as `cursor` to get the next page.

        :param workspace_id: The id of the workspace.
        :param limit: The maximum number of items in the response.
        :param cursor: The `nextCursor` of the previous page.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ExecutionList] = Request(
            "GET", "/api/v1/executions", query={"workspaceId": workspace_id, "limit": limit, "cursor": cursor}, returns={200: models.ExecutionList}
        )
        return await self._transport.pages(request, options, models.Execution, "executions")

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.ExecutionsGetResponse:
        """Get an execution: `GET /api/v1/executions/{id}`.

        Returns one entry of the execution log.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ExecutionsGetResponse] = Request(
            "GET", to_path("/api/v1/executions/{id}", id), returns={200: models.ExecutionsGetResponse}
        )
        return await self._transport.send(request, options)

    def stream_events(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> AsyncIterator[Event]:
        """Stream the events of an execution: `GET /api/v1/executions/{id}/events`.

        Streams the events of a run (server-sent events): `console` for each line, then `end` with its status. Send `Last-Event-ID` to continue after a
        line. A stream that closes without `end` must be opened again.

        Fails with `NOT_FOUND`.
        """
        request: Request[Event] = Request("GET", to_path("/api/v1/executions/{id}/events", id))
        return self._transport.stream(request, options, Event)


class Partials:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str,
        integration_name: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        action_name: str | Omit = OMIT,
        trigger_name: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.InputPartialList, models.InputPartial]:
        """List input partials: `GET /api/v1/partials`.

        Lists the input partials of a workspace that match every filter, newest first.

        :param workspace_id: The id of the workspace.
        :param integration_name: The name of the integration, such as `github`.
        :param workspace_integration_id: The id of the configured integration.
        :param integration_alias: The alias of the configured integration.
        :param action_name: The name of the action, such as `create_issue`.
        :param trigger_name: The name of the trigger.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.InputPartialList] = Request(
            "GET",
            "/api/v1/partials",
            query={
                "workspaceId": workspace_id,
                "integrationName": integration_name,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "actionName": action_name,
                "triggerName": trigger_name,
            },
            returns={200: models.InputPartialList},
        )
        return self._transport.pages(request, options, models.InputPartial, "partials")

    def create(
        self,
        *,
        workspace_id: str,
        integration_name: str,
        name: str,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        action_name: str | Omit = OMIT,
        trigger_name: str | Omit = OMIT,
        description: str | Omit = OMIT,
        values: Mapping[str, Any] | Omit = OMIT,
        enforced_keys: Sequence[str] | Omit = OMIT,
        is_default: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.PartialsCreateResponse:
        """Create an input partial: `POST /api/v1/partials`.

        Creates an input partial of one configured integration. Deleting the configured integration deletes the partial. It applies to calls that list it
        or, if it is a default, to calls that list no partials.

        :param workspace_id: The id of the workspace.
        :param integration_name: The name of the integration, such as `github`.
        :param name: Unique among the partials of the same configured integration, action and trigger.
        :param workspace_integration_id: The id of the configured integration. Without it and integrationAlias, the partial belongs to the configured integration that an execution without a selector uses.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param action_name: Omit this field and triggerName for all actions and triggers.
        :param trigger_name: Cannot be combined with actionName.
        :param description: The description that people and models read.
        :param values: Values that match the properties of the action or trigger. A null value omits the key. SECRET_TEXT properties are not allowed. At most 64 kB as JSON.
        :param enforced_keys: Keys of `values`.
        :param is_default: At most 5 partials of the same scope can be defaults.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.PartialsCreateResponse] = Request(
            "POST",
            "/api/v1/partials",
            body={
                "workspaceId": workspace_id,
                "integrationName": integration_name,
                "name": name,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "actionName": action_name,
                "triggerName": trigger_name,
                "description": description,
                "values": values,
                "enforcedKeys": enforced_keys,
                "isDefault": is_default,
            },
            returns={201: models.PartialsCreateResponse},
        )
        return self._transport.send(request, options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.PartialsGetResponse:
        """Get an input partial: `GET /api/v1/partials/{id}`.

        Returns an input partial.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.PartialsGetResponse] = Request("GET", to_path("/api/v1/partials/{id}", id), returns={200: models.PartialsGetResponse})
        return self._transport.send(request, options)

    def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        description: str | None | Omit = OMIT,
        values: Mapping[str, Any] | Omit = OMIT,
        enforced_keys: Sequence[str] | Omit = OMIT,
        is_default: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.PartialsUpdateResponse:
        """Update an input partial: `PATCH /api/v1/partials/{id}`.

        Updates the specified fields of an input partial.

        :param name: The name.
        :param description: Null removes it.
        :param values: Replaces all values. At most 64 kB as JSON.
        :param enforced_keys: Replaces the whole list. Keys of `values`.
        :param is_default: Whether the partial applies to calls that name no partials.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.PartialsUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/partials/{id}", id),
            body={"name": name, "description": description, "values": values, "enforcedKeys": enforced_keys, "isDefault": is_default},
            returns={200: models.PartialsUpdateResponse},
        )
        return self._transport.send(request, options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete an input partial: `DELETE /api/v1/partials/{id}`.

        Deletes an input partial and removes it from every MCP tool.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/partials/{id}", id), returns={200: models.Deleted})
        return self._transport.send(request, options)

    def set_default(
        self,
        id: str,
        *,
        is_default: bool,
        options: RequestOptions | None = None,
    ) -> models.PartialsSetDefaultResponse:
        """Set an input partial as default: `POST /api/v1/partials/{id}/set-default`.

        Sets whether an input partial applies to calls that list no partials.

        :param is_default: Whether the partial applies to calls that name no partials.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.PartialsSetDefaultResponse] = Request(
            "POST", to_path("/api/v1/partials/{id}/set-default", id), body={"isDefault": is_default}, returns={200: models.PartialsSetDefaultResponse}
        )
        return self._transport.send(request, options)


class AsyncPartials:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str,
        integration_name: str | Omit = OMIT,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        action_name: str | Omit = OMIT,
        trigger_name: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.InputPartialList, models.InputPartial]:
        """List input partials: `GET /api/v1/partials`.

        Lists the input partials of a workspace that match every filter, newest first.

        :param workspace_id: The id of the workspace.
        :param integration_name: The name of the integration, such as `github`.
        :param workspace_integration_id: The id of the configured integration.
        :param integration_alias: The alias of the configured integration.
        :param action_name: The name of the action, such as `create_issue`.
        :param trigger_name: The name of the trigger.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.InputPartialList] = Request(
            "GET",
            "/api/v1/partials",
            query={
                "workspaceId": workspace_id,
                "integrationName": integration_name,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "actionName": action_name,
                "triggerName": trigger_name,
            },
            returns={200: models.InputPartialList},
        )
        return await self._transport.pages(request, options, models.InputPartial, "partials")

    async def create(
        self,
        *,
        workspace_id: str,
        integration_name: str,
        name: str,
        workspace_integration_id: str | Omit = OMIT,
        integration_alias: str | Omit = OMIT,
        action_name: str | Omit = OMIT,
        trigger_name: str | Omit = OMIT,
        description: str | Omit = OMIT,
        values: Mapping[str, Any] | Omit = OMIT,
        enforced_keys: Sequence[str] | Omit = OMIT,
        is_default: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.PartialsCreateResponse:
        """Create an input partial: `POST /api/v1/partials`.

        Creates an input partial of one configured integration. Deleting the configured integration deletes the partial. It applies to calls that list it
        or, if it is a default, to calls that list no partials.

        :param workspace_id: The id of the workspace.
        :param integration_name: The name of the integration, such as `github`.
        :param name: Unique among the partials of the same configured integration, action and trigger.
        :param workspace_integration_id: The id of the configured integration. Without it and integrationAlias, the partial belongs to the configured integration that an execution without a selector uses.
        :param integration_alias: The alias of the configured integration, used if workspaceIntegrationId is absent.
        :param action_name: Omit this field and triggerName for all actions and triggers.
        :param trigger_name: Cannot be combined with actionName.
        :param description: The description that people and models read.
        :param values: Values that match the properties of the action or trigger. A null value omits the key. SECRET_TEXT properties are not allowed. At most 64 kB as JSON.
        :param enforced_keys: Keys of `values`.
        :param is_default: At most 5 partials of the same scope can be defaults.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.PartialsCreateResponse] = Request(
            "POST",
            "/api/v1/partials",
            body={
                "workspaceId": workspace_id,
                "integrationName": integration_name,
                "name": name,
                "workspaceIntegrationId": workspace_integration_id,
                "integrationAlias": integration_alias,
                "actionName": action_name,
                "triggerName": trigger_name,
                "description": description,
                "values": values,
                "enforcedKeys": enforced_keys,
                "isDefault": is_default,
            },
            returns={201: models.PartialsCreateResponse},
        )
        return await self._transport.send(request, options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.PartialsGetResponse:
        """Get an input partial: `GET /api/v1/partials/{id}`.

        Returns an input partial.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.PartialsGetResponse] = Request("GET", to_path("/api/v1/partials/{id}", id), returns={200: models.PartialsGetResponse})
        return await self._transport.send(request, options)

    async def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        description: str | None | Omit = OMIT,
        values: Mapping[str, Any] | Omit = OMIT,
        enforced_keys: Sequence[str] | Omit = OMIT,
        is_default: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.PartialsUpdateResponse:
        """Update an input partial: `PATCH /api/v1/partials/{id}`.

        Updates the specified fields of an input partial.

        :param name: The name.
        :param description: Null removes it.
        :param values: Replaces all values. At most 64 kB as JSON.
        :param enforced_keys: Replaces the whole list. Keys of `values`.
        :param is_default: Whether the partial applies to calls that name no partials.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.PartialsUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/partials/{id}", id),
            body={"name": name, "description": description, "values": values, "enforcedKeys": enforced_keys, "isDefault": is_default},
            returns={200: models.PartialsUpdateResponse},
        )
        return await self._transport.send(request, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete an input partial: `DELETE /api/v1/partials/{id}`.

        Deletes an input partial and removes it from every MCP tool.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/partials/{id}", id), returns={200: models.Deleted})
        return await self._transport.send(request, options)

    async def set_default(
        self,
        id: str,
        *,
        is_default: bool,
        options: RequestOptions | None = None,
    ) -> models.PartialsSetDefaultResponse:
        """Set an input partial as default: `POST /api/v1/partials/{id}/set-default`.

        Sets whether an input partial applies to calls that list no partials.

        :param is_default: Whether the partial applies to calls that name no partials.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.PartialsSetDefaultResponse] = Request(
            "POST", to_path("/api/v1/partials/{id}/set-default", id), body={"isDefault": is_default}, returns={200: models.PartialsSetDefaultResponse}
        )
        return await self._transport.send(request, options)


class Workspaces:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        include_suspended: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.WorkspaceList, models.Workspace]:
        """List workspaces: `GET /api/v1/workspaces`.

        Lists workspaces, newest first.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        :param include_suspended: Includes suspended workspaces.
        """
        request: Request[models.WorkspaceList] = Request(
            "GET",
            "/api/v1/workspaces",
            query={"limit": limit, "offset": offset, "includeSuspended": include_suspended},
            returns={200: models.WorkspaceList},
        )
        return self._transport.pages(request, options, models.Workspace, "workspaces")

    def create(
        self,
        *,
        name: str,
        slug: str,
        options: RequestOptions | None = None,
    ) -> models.WorkspacesCreateResponse:
        """Create a workspace: `POST /api/v1/workspaces`.

        Creates a workspace.

        :param name: The name.
        :param slug: The short name in URLs, unique in the organization.

        Fails with `QUOTA_EXCEEDED`, `DUPLICATE`.
        """
        request: Request[models.WorkspacesCreateResponse] = Request(
            "POST", "/api/v1/workspaces", body={"name": name, "slug": slug}, returns={201: models.WorkspacesCreateResponse}
        )
        return self._transport.send(request, options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.WorkspacesGetResponse:
        """Get a workspace: `GET /api/v1/workspaces/{id}`.

        Returns a workspace.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.WorkspacesGetResponse] = Request(
            "GET", to_path("/api/v1/workspaces/{id}", id), returns={200: models.WorkspacesGetResponse}
        )
        return self._transport.send(request, options)

    def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        slug: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.WorkspacesUpdateResponse:
        """Update a workspace: `PATCH /api/v1/workspaces/{id}`.

        Changes the given fields of a workspace.

        :param name: The name.
        :param slug: The short name in URLs, unique in the organization.

        Fails with `NO_UPDATES`, `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.WorkspacesUpdateResponse] = Request(
            "PATCH", to_path("/api/v1/workspaces/{id}", id), body={"name": name, "slug": slug}, returns={200: models.WorkspacesUpdateResponse}
        )
        return self._transport.send(request, options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete a workspace: `DELETE /api/v1/workspaces/{id}`.

        Deletes a workspace and everything in it.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/workspaces/{id}", id), returns={200: models.Deleted})
        return self._transport.send(request, options)

    def suspend(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.WorkspacesSuspendResponse:
        """Suspend a workspace: `POST /api/v1/workspaces/{id}/suspend`.

        Suspends a workspace: calls in it are rejected until it is resumed. It can be read and deleted, and is listed with `includeSuspended`.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.WorkspacesSuspendResponse] = Request(
            "POST", to_path("/api/v1/workspaces/{id}/suspend", id), returns={200: models.WorkspacesSuspendResponse}
        )
        return self._transport.send(request, options)

    def resume(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.WorkspacesResumeResponse:
        """Resume a workspace: `POST /api/v1/workspaces/{id}/resume`.

        Resumes a suspended workspace.

        Fails with `QUOTA_EXCEEDED`, `NOT_FOUND`.
        """
        request: Request[models.WorkspacesResumeResponse] = Request(
            "POST", to_path("/api/v1/workspaces/{id}/resume", id), returns={200: models.WorkspacesResumeResponse}
        )
        return self._transport.send(request, options)


class AsyncWorkspaces:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        include_suspended: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.WorkspaceList, models.Workspace]:
        """List workspaces: `GET /api/v1/workspaces`.

        Lists workspaces, newest first.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        :param include_suspended: Includes suspended workspaces.
        """
        request: Request[models.WorkspaceList] = Request(
            "GET",
            "/api/v1/workspaces",
            query={"limit": limit, "offset": offset, "includeSuspended": include_suspended},
            returns={200: models.WorkspaceList},
        )
        return await self._transport.pages(request, options, models.Workspace, "workspaces")

    async def create(
        self,
        *,
        name: str,
        slug: str,
        options: RequestOptions | None = None,
    ) -> models.WorkspacesCreateResponse:
        """Create a workspace: `POST /api/v1/workspaces`.

        Creates a workspace.

        :param name: The name.
        :param slug: The short name in URLs, unique in the organization.

        Fails with `QUOTA_EXCEEDED`, `DUPLICATE`.
        """
        request: Request[models.WorkspacesCreateResponse] = Request(
            "POST", "/api/v1/workspaces", body={"name": name, "slug": slug}, returns={201: models.WorkspacesCreateResponse}
        )
        return await self._transport.send(request, options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.WorkspacesGetResponse:
        """Get a workspace: `GET /api/v1/workspaces/{id}`.

        Returns a workspace.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.WorkspacesGetResponse] = Request(
            "GET", to_path("/api/v1/workspaces/{id}", id), returns={200: models.WorkspacesGetResponse}
        )
        return await self._transport.send(request, options)

    async def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        slug: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.WorkspacesUpdateResponse:
        """Update a workspace: `PATCH /api/v1/workspaces/{id}`.

        Changes the given fields of a workspace.

        :param name: The name.
        :param slug: The short name in URLs, unique in the organization.

        Fails with `NO_UPDATES`, `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.WorkspacesUpdateResponse] = Request(
            "PATCH", to_path("/api/v1/workspaces/{id}", id), body={"name": name, "slug": slug}, returns={200: models.WorkspacesUpdateResponse}
        )
        return await self._transport.send(request, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete a workspace: `DELETE /api/v1/workspaces/{id}`.

        Deletes a workspace and everything in it.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/workspaces/{id}", id), returns={200: models.Deleted})
        return await self._transport.send(request, options)

    async def suspend(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.WorkspacesSuspendResponse:
        """Suspend a workspace: `POST /api/v1/workspaces/{id}/suspend`.

        Suspends a workspace: calls in it are rejected until it is resumed. It can be read and deleted, and is listed with `includeSuspended`.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.WorkspacesSuspendResponse] = Request(
            "POST", to_path("/api/v1/workspaces/{id}/suspend", id), returns={200: models.WorkspacesSuspendResponse}
        )
        return await self._transport.send(request, options)

    async def resume(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.WorkspacesResumeResponse:
        """Resume a workspace: `POST /api/v1/workspaces/{id}/resume`.

        Resumes a suspended workspace.

        Fails with `QUOTA_EXCEEDED`, `NOT_FOUND`.
        """
        request: Request[models.WorkspacesResumeResponse] = Request(
            "POST", to_path("/api/v1/workspaces/{id}/resume", id), returns={200: models.WorkspacesResumeResponse}
        )
        return await self._transport.send(request, options)


class Organization:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.OrganizationSummary:
        """Get the organization: `GET /api/v1/organization`.

        Returns the organization of the key, the limits of its plan and its usage.
        """
        request: Request[models.OrganizationSummary] = Request("GET", "/api/v1/organization", returns={200: models.OrganizationSummary})
        return self._transport.send(request, options)

    def update(
        self,
        *,
        name: str | Omit = OMIT,
        logo: str | None | Omit = OMIT,
        color: str | None | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.OrganizationUpdateResponse:
        """Update the organization: `PATCH /api/v1/organization`.

        Updates how pages show the organization: its name, its logo and the colour of its buttons.

        :param name: The name.
        :param logo: The logo on pages: a PNG, JPEG or WebP of at most 32 kB and 1,024 pixels per side, as a data URI. Null removes it.
        :param color: The colour of buttons on pages, `#rrggbb`. Null removes it.

        Fails with `NO_UPDATES`.
        """
        request: Request[models.OrganizationUpdateResponse] = Request(
            "PATCH", "/api/v1/organization", body={"name": name, "logo": logo, "color": color}, returns={200: models.OrganizationUpdateResponse}
        )
        return self._transport.send(request, options)


class AsyncOrganization:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> models.OrganizationSummary:
        """Get the organization: `GET /api/v1/organization`.

        Returns the organization of the key, the limits of its plan and its usage.
        """
        request: Request[models.OrganizationSummary] = Request("GET", "/api/v1/organization", returns={200: models.OrganizationSummary})
        return await self._transport.send(request, options)

    async def update(
        self,
        *,
        name: str | Omit = OMIT,
        logo: str | None | Omit = OMIT,
        color: str | None | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.OrganizationUpdateResponse:
        """Update the organization: `PATCH /api/v1/organization`.

        Updates how pages show the organization: its name, its logo and the colour of its buttons.

        :param name: The name.
        :param logo: The logo on pages: a PNG, JPEG or WebP of at most 32 kB and 1,024 pixels per side, as a data URI. Null removes it.
        :param color: The colour of buttons on pages, `#rrggbb`. Null removes it.

        Fails with `NO_UPDATES`.
        """
        request: Request[models.OrganizationUpdateResponse] = Request(
            "PATCH", "/api/v1/organization", body={"name": name, "logo": logo, "color": color}, returns={200: models.OrganizationUpdateResponse}
        )
        return await self._transport.send(request, options)


class Members:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.MemberList, models.Member]:
        """List members: `GET /api/v1/members`.

        Lists the members of the organization.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        """
        request: Request[models.MemberList] = Request(
            "GET", "/api/v1/members", query={"limit": limit, "offset": offset}, returns={200: models.MemberList}
        )
        return self._transport.pages(request, options, models.Member, "members")

    def update(
        self,
        id: str,
        *,
        role: str,
        options: RequestOptions | None = None,
    ) -> models.MembersUpdateResponse:
        """Update a member: `PATCH /api/v1/members/{id}`.

        Changes the role of a member. Only owners add and remove owners, and one owner must remain.

        :param role: The role of the member.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.MembersUpdateResponse] = Request(
            "PATCH", to_path("/api/v1/members/{id}", id), body={"role": role}, returns={200: models.MembersUpdateResponse}
        )
        return self._transport.send(request, options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete a member: `DELETE /api/v1/members/{id}`.

        Removes a member from the organization. Their keys in the organization are rejected within one second.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/members/{id}", id), returns={200: models.Deleted})
        return self._transport.send(request, options)

    def invite(
        self,
        *,
        email: str,
        role: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.InvitedMember:
        """Invite a member: `POST /api/v1/members/invite`.

        Invites a user by email. The invitation is valid for 7 days and uses a seat. If the operator has configured email, the link is emailed to the
        invited address only. Otherwise the response contains it in `link`: send it to the user yourself. No other response contains it.

        :param email: An email address in the format of HTML forms. Stored in lower case.
        :param role: The role: admin or member. Defaults to member.

        Fails with `QUOTA_EXCEEDED`, `DUPLICATE`.
        """
        request: Request[models.InvitedMember] = Request(
            "POST", "/api/v1/members/invite", body={"email": email, "role": role}, returns={200: models.InvitedMember}
        )
        return self._transport.send(request, options)

    def list_invitations(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.InvitationList, models.Invitation]:
        """List invitations: `GET /api/v1/members/invitations`.

        Lists pending invitations, newest first.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        """
        request: Request[models.InvitationList] = Request(
            "GET", "/api/v1/members/invitations", query={"limit": limit, "offset": offset}, returns={200: models.InvitationList}
        )
        return self._transport.pages(request, options, models.Invitation, "invitations")

    def cancel_invitation(
        self,
        invitation_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Cancel an invitation: `DELETE /api/v1/members/invitations/{invitationId}`.

        Cancels a pending invitation.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request(
            "DELETE", to_path("/api/v1/members/invitations/{invitationId}", invitation_id), returns={200: models.Deleted}
        )
        return self._transport.send(request, options)

    def accept_invitation(
        self,
        invitation_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.MembersAcceptInvitationResponse:
        """Accept an invitation: `POST /api/v1/members/invitations/{invitationId}/accept`.

        Accepts an invitation. The key can belong to any organization, but its user must have the invited email address.

        Fails with `EXPIRED`, `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.MembersAcceptInvitationResponse] = Request(
            "POST", to_path("/api/v1/members/invitations/{invitationId}/accept", invitation_id), returns={200: models.MembersAcceptInvitationResponse}
        )
        return self._transport.send(request, options)

    def add_to_workspace(
        self,
        *,
        workspace_id: str,
        member_id: str,
        role: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.MembersAddToWorkspaceResponse:
        """Create a workspace member: `POST /api/v1/workspace-members`.

        Gives an organization member a role in a workspace.

        :param workspace_id: The id of the workspace.
        :param member_id: The id of the organization member.
        :param role: The role: admin or member. Defaults to member.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.MembersAddToWorkspaceResponse] = Request(
            "POST",
            "/api/v1/workspace-members",
            body={"workspaceId": workspace_id, "memberId": member_id, "role": role},
            returns={201: models.MembersAddToWorkspaceResponse},
        )
        return self._transport.send(request, options)

    def remove_from_workspace(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete a workspace member: `DELETE /api/v1/workspace-members/{id}`.

        Removes a member from a workspace.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/workspace-members/{id}", id), returns={200: models.Deleted})
        return self._transport.send(request, options)


class AsyncMembers:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.MemberList, models.Member]:
        """List members: `GET /api/v1/members`.

        Lists the members of the organization.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        """
        request: Request[models.MemberList] = Request(
            "GET", "/api/v1/members", query={"limit": limit, "offset": offset}, returns={200: models.MemberList}
        )
        return await self._transport.pages(request, options, models.Member, "members")

    async def update(
        self,
        id: str,
        *,
        role: str,
        options: RequestOptions | None = None,
    ) -> models.MembersUpdateResponse:
        """Update a member: `PATCH /api/v1/members/{id}`.

        Changes the role of a member. Only owners add and remove owners, and one owner must remain.

        :param role: The role of the member.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.MembersUpdateResponse] = Request(
            "PATCH", to_path("/api/v1/members/{id}", id), body={"role": role}, returns={200: models.MembersUpdateResponse}
        )
        return await self._transport.send(request, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete a member: `DELETE /api/v1/members/{id}`.

        Removes a member from the organization. Their keys in the organization are rejected within one second.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/members/{id}", id), returns={200: models.Deleted})
        return await self._transport.send(request, options)

    async def invite(
        self,
        *,
        email: str,
        role: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.InvitedMember:
        """Invite a member: `POST /api/v1/members/invite`.

        Invites a user by email. The invitation is valid for 7 days and uses a seat. If the operator has configured email, the link is emailed to the
        invited address only. Otherwise the response contains it in `link`: send it to the user yourself. No other response contains it.

        :param email: An email address in the format of HTML forms. Stored in lower case.
        :param role: The role: admin or member. Defaults to member.

        Fails with `QUOTA_EXCEEDED`, `DUPLICATE`.
        """
        request: Request[models.InvitedMember] = Request(
            "POST", "/api/v1/members/invite", body={"email": email, "role": role}, returns={200: models.InvitedMember}
        )
        return await self._transport.send(request, options)

    async def list_invitations(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.InvitationList, models.Invitation]:
        """List invitations: `GET /api/v1/members/invitations`.

        Lists pending invitations, newest first.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        """
        request: Request[models.InvitationList] = Request(
            "GET", "/api/v1/members/invitations", query={"limit": limit, "offset": offset}, returns={200: models.InvitationList}
        )
        return await self._transport.pages(request, options, models.Invitation, "invitations")

    async def cancel_invitation(
        self,
        invitation_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Cancel an invitation: `DELETE /api/v1/members/invitations/{invitationId}`.

        Cancels a pending invitation.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request(
            "DELETE", to_path("/api/v1/members/invitations/{invitationId}", invitation_id), returns={200: models.Deleted}
        )
        return await self._transport.send(request, options)

    async def accept_invitation(
        self,
        invitation_id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.MembersAcceptInvitationResponse:
        """Accept an invitation: `POST /api/v1/members/invitations/{invitationId}/accept`.

        Accepts an invitation. The key can belong to any organization, but its user must have the invited email address.

        Fails with `EXPIRED`, `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.MembersAcceptInvitationResponse] = Request(
            "POST", to_path("/api/v1/members/invitations/{invitationId}/accept", invitation_id), returns={200: models.MembersAcceptInvitationResponse}
        )
        return await self._transport.send(request, options)

    async def add_to_workspace(
        self,
        *,
        workspace_id: str,
        member_id: str,
        role: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.MembersAddToWorkspaceResponse:
        """Create a workspace member: `POST /api/v1/workspace-members`.

        Gives an organization member a role in a workspace.

        :param workspace_id: The id of the workspace.
        :param member_id: The id of the organization member.
        :param role: The role: admin or member. Defaults to member.

        Fails with `NOT_FOUND`, `DUPLICATE`.
        """
        request: Request[models.MembersAddToWorkspaceResponse] = Request(
            "POST",
            "/api/v1/workspace-members",
            body={"workspaceId": workspace_id, "memberId": member_id, "role": role},
            returns={201: models.MembersAddToWorkspaceResponse},
        )
        return await self._transport.send(request, options)

    async def remove_from_workspace(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete a workspace member: `DELETE /api/v1/workspace-members/{id}`.

        Removes a member from a workspace.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/workspace-members/{id}", id), returns={200: models.Deleted})
        return await self._transport.send(request, options)


class ApiKeys:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.ApiKeyList, models.ApiKey]:
        """List API keys: `GET /api/v1/api-keys`.

        Lists API keys, newest first.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        """
        request: Request[models.ApiKeyList] = Request(
            "GET", "/api/v1/api-keys", query={"limit": limit, "offset": offset}, returns={200: models.ApiKeyList}
        )
        return self._transport.pages(request, options, models.ApiKey, "apiKeys")

    def create(
        self,
        *,
        name: str,
        expires_at: str | Omit = OMIT,
        permissions: models.GivenPermissions | Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.CreatedApiKey:
        """Create an API key: `POST /api/v1/api-keys`.

        Creates an API key. No other response contains the key.

        :param name: The name.
        :param expires_at: When the key expires. If omitted, the key does not expire.
        :param permissions: The permissions of the key.
        """
        request: Request[models.CreatedApiKey] = Request(
            "POST", "/api/v1/api-keys", body={"name": name, "expiresAt": expires_at, "permissions": permissions}, returns={201: models.CreatedApiKey}
        )
        return self._transport.send(request, options)

    def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        permissions: models.GivenPermissions | Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ApiKeysUpdateResponse:
        """Update an API key: `PATCH /api/v1/api-keys/{id}`.

        Updates the given fields of an API key and replaces its permissions as a whole. The change takes effect within one second.

        :param name: The name.
        :param permissions: The permissions of the key.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApiKeysUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/api-keys/{id}", id),
            body={"name": name, "permissions": permissions},
            returns={200: models.ApiKeysUpdateResponse},
        )
        return self._transport.send(request, options)

    def revoke(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Revoke an API key: `DELETE /api/v1/api-keys/{id}`.

        Revokes an API key. Requests with the key are rejected within one second.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/api-keys/{id}", id), returns={200: models.Deleted})
        return self._transport.send(request, options)


class AsyncApiKeys:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.ApiKeyList, models.ApiKey]:
        """List API keys: `GET /api/v1/api-keys`.

        Lists API keys, newest first.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        """
        request: Request[models.ApiKeyList] = Request(
            "GET", "/api/v1/api-keys", query={"limit": limit, "offset": offset}, returns={200: models.ApiKeyList}
        )
        return await self._transport.pages(request, options, models.ApiKey, "apiKeys")

    async def create(
        self,
        *,
        name: str,
        expires_at: str | Omit = OMIT,
        permissions: models.GivenPermissions | Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.CreatedApiKey:
        """Create an API key: `POST /api/v1/api-keys`.

        Creates an API key. No other response contains the key.

        :param name: The name.
        :param expires_at: When the key expires. If omitted, the key does not expire.
        :param permissions: The permissions of the key.
        """
        request: Request[models.CreatedApiKey] = Request(
            "POST", "/api/v1/api-keys", body={"name": name, "expiresAt": expires_at, "permissions": permissions}, returns={201: models.CreatedApiKey}
        )
        return await self._transport.send(request, options)

    async def update(
        self,
        id: str,
        *,
        name: str | Omit = OMIT,
        permissions: models.GivenPermissions | Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ApiKeysUpdateResponse:
        """Update an API key: `PATCH /api/v1/api-keys/{id}`.

        Updates the given fields of an API key and replaces its permissions as a whole. The change takes effect within one second.

        :param name: The name.
        :param permissions: The permissions of the key.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.ApiKeysUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/api-keys/{id}", id),
            body={"name": name, "permissions": permissions},
            returns={200: models.ApiKeysUpdateResponse},
        )
        return await self._transport.send(request, options)

    async def revoke(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Revoke an API key: `DELETE /api/v1/api-keys/{id}`.

        Revokes an API key. Requests with the key are rejected within one second.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/api-keys/{id}", id), returns={200: models.Deleted})
        return await self._transport.send(request, options)


class OauthApps:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.OAuthAppList, models.OAuthApp]:
        """List OAuth apps: `GET /api/v1/oauth-apps`.

        Lists the OAuth apps that the organization registered at providers. The response contains no client secrets.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        """
        request: Request[models.OAuthAppList] = Request(
            "GET", "/api/v1/oauth-apps", query={"limit": limit, "offset": offset}, returns={200: models.OAuthAppList}
        )
        return self._transport.pages(request, options, models.OAuthApp, "oauthApps")

    def create(
        self,
        *,
        integration_name: str,
        client_id: str,
        client_secret: str,
        scopes: Sequence[str] | Omit = OMIT,
        workspace_id: str | Omit = OMIT,
        is_default: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.OauthAppsCreateResponse:
        """Create an OAuth app: `POST /api/v1/oauth-apps`.

        Creates an OAuth app. The first OAuth app of an organization or workspace for an integration is its default: new connections use it.

        :param integration_name: The name of the integration, such as `github`.
        :param client_id: The client id that the provider issued.
        :param client_secret: The client secret. No response contains it.
        :param scopes: Omit it to request the scopes of the integration. At most 100.
        :param workspace_id: Omit it for the whole organization.
        :param is_default: Defaults to true for the first app of the organization or workspace.

        Fails with `CUSTOM_OAUTH_APP_PLAN_REQUIRED`, `NOT_FOUND`.
        """
        request: Request[models.OauthAppsCreateResponse] = Request(
            "POST",
            "/api/v1/oauth-apps",
            body={
                "integrationName": integration_name,
                "clientId": client_id,
                "clientSecret": client_secret,
                "scopes": scopes,
                "workspaceId": workspace_id,
                "isDefault": is_default,
            },
            returns={201: models.OauthAppsCreateResponse},
        )
        return self._transport.send(request, options)

    def update(
        self,
        id: str,
        *,
        client_id: str | Omit = OMIT,
        client_secret: str | Omit = OMIT,
        scopes: Sequence[str] | None | Omit = OMIT,
        is_default: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.OauthAppsUpdateResponse:
        """Update an OAuth app: `PATCH /api/v1/oauth-apps/{id}`.

        Updates an OAuth app. Existing connections are refreshed with the new values.

        :param client_id: The client id that the provider issued.
        :param client_secret: The client secret. No response contains it.
        :param scopes: Null restores the scopes of the integration.
        :param is_default: True replaces the previous default.

        Fails with `CUSTOM_OAUTH_APP_PLAN_REQUIRED`, `NOT_FOUND`.
        """
        request: Request[models.OauthAppsUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/oauth-apps/{id}", id),
            body={"clientId": client_id, "clientSecret": client_secret, "scopes": scopes, "isDefault": is_default},
            returns={200: models.OauthAppsUpdateResponse},
        )
        return self._transport.send(request, options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete an OAuth app: `DELETE /api/v1/oauth-apps/{id}`.

        Deletes an OAuth app. Its connections work until their tokens expire.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/oauth-apps/{id}", id), returns={200: models.Deleted})
        return self._transport.send(request, options)


class AsyncOauthApps:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        limit: int | Omit = OMIT,
        offset: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.OAuthAppList, models.OAuthApp]:
        """List OAuth apps: `GET /api/v1/oauth-apps`.

        Lists the OAuth apps that the organization registered at providers. The response contains no client secrets.

        :param limit: The maximum number of items in the response.
        :param offset: The number of items to skip.
        """
        request: Request[models.OAuthAppList] = Request(
            "GET", "/api/v1/oauth-apps", query={"limit": limit, "offset": offset}, returns={200: models.OAuthAppList}
        )
        return await self._transport.pages(request, options, models.OAuthApp, "oauthApps")

    async def create(
        self,
        *,
        integration_name: str,
        client_id: str,
        client_secret: str,
        scopes: Sequence[str] | Omit = OMIT,
        workspace_id: str | Omit = OMIT,
        is_default: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.OauthAppsCreateResponse:
        """Create an OAuth app: `POST /api/v1/oauth-apps`.

        Creates an OAuth app. The first OAuth app of an organization or workspace for an integration is its default: new connections use it.

        :param integration_name: The name of the integration, such as `github`.
        :param client_id: The client id that the provider issued.
        :param client_secret: The client secret. No response contains it.
        :param scopes: Omit it to request the scopes of the integration. At most 100.
        :param workspace_id: Omit it for the whole organization.
        :param is_default: Defaults to true for the first app of the organization or workspace.

        Fails with `CUSTOM_OAUTH_APP_PLAN_REQUIRED`, `NOT_FOUND`.
        """
        request: Request[models.OauthAppsCreateResponse] = Request(
            "POST",
            "/api/v1/oauth-apps",
            body={
                "integrationName": integration_name,
                "clientId": client_id,
                "clientSecret": client_secret,
                "scopes": scopes,
                "workspaceId": workspace_id,
                "isDefault": is_default,
            },
            returns={201: models.OauthAppsCreateResponse},
        )
        return await self._transport.send(request, options)

    async def update(
        self,
        id: str,
        *,
        client_id: str | Omit = OMIT,
        client_secret: str | Omit = OMIT,
        scopes: Sequence[str] | None | Omit = OMIT,
        is_default: bool | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.OauthAppsUpdateResponse:
        """Update an OAuth app: `PATCH /api/v1/oauth-apps/{id}`.

        Updates an OAuth app. Existing connections are refreshed with the new values.

        :param client_id: The client id that the provider issued.
        :param client_secret: The client secret. No response contains it.
        :param scopes: Null restores the scopes of the integration.
        :param is_default: True replaces the previous default.

        Fails with `CUSTOM_OAUTH_APP_PLAN_REQUIRED`, `NOT_FOUND`.
        """
        request: Request[models.OauthAppsUpdateResponse] = Request(
            "PATCH",
            to_path("/api/v1/oauth-apps/{id}", id),
            body={"clientId": client_id, "clientSecret": client_secret, "scopes": scopes, "isDefault": is_default},
            returns={200: models.OauthAppsUpdateResponse},
        )
        return await self._transport.send(request, options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Deleted:
        """Delete an OAuth app: `DELETE /api/v1/oauth-apps/{id}`.

        Deletes an OAuth app. Its connections work until their tokens expire.

        Fails with `NOT_FOUND`.
        """
        request: Request[models.Deleted] = Request("DELETE", to_path("/api/v1/oauth-apps/{id}", id), returns={200: models.Deleted})
        return await self._transport.send(request, options)


class AuditLog:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        actor: str | Omit = OMIT,
        action: str | Omit = OMIT,
        resource_type: str | Omit = OMIT,
        resource_id: str | Omit = OMIT,
        from_: str | Omit = OMIT,
        to: str | Omit = OMIT,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Pages[models.AuditEntryList, models.AuditEntry]:
        """List audit entries: `GET /api/v1/audit-log`.

        Lists audit entries, newest first. The order is stable while new entries arrive: send `nextCursor` as `cursor` to get the next page.

        :param workspace_id: The id of the workspace.
        :param actor: The id of an API key or a user.
        :param action: The action of the entries, such as `workspace.create`.
        :param resource_type: Only entries about resources of this type, such as `connection`.
        :param resource_id: Only entries about the resource with this id.
        :param from_: Returns entries from this time on.
        :param to: Returns entries before this time.
        :param cursor: The `nextCursor` of the previous page.
        :param limit: The maximum number of items in the response.
        """
        request: Request[models.AuditEntryList] = Request(
            "GET",
            "/api/v1/audit-log",
            query={
                "workspaceId": workspace_id,
                "actor": actor,
                "action": action,
                "resourceType": resource_type,
                "resourceId": resource_id,
                "from": from_,
                "to": to,
                "cursor": cursor,
                "limit": limit,
            },
            returns={200: models.AuditEntryList},
        )
        return self._transport.pages(request, options, models.AuditEntry, "entries")

    def export(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        actor: str | Omit = OMIT,
        action: str | Omit = OMIT,
        resource_type: str | Omit = OMIT,
        resource_id: str | Omit = OMIT,
        from_: str | Omit = OMIT,
        to: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> Iterator[models.AuditEntry]:
        """Export the audit log: `GET /api/v1/audit-log/export`.

        Exports all entries that match the filters as JSON lines, newest first. If the response ends early, the export is incomplete.

        :param workspace_id: The id of the workspace.
        :param actor: Only entries of this user, API key or end user.
        :param action: Only entries of this action, such as `connection.create`.
        :param resource_type: Only entries about resources of this type, such as `connection`.
        :param resource_id: Only entries about the resource with this id.
        :param from_: Only entries made at this moment or later.
        :param to: Only entries made before this moment.
        """
        request: Request[models.AuditEntry] = Request(
            "GET",
            "/api/v1/audit-log/export",
            query={
                "workspaceId": workspace_id,
                "actor": actor,
                "action": action,
                "resourceType": resource_type,
                "resourceId": resource_id,
                "from": from_,
                "to": to,
            },
        )
        return self._transport.stream(request, options, models.AuditEntry)


class AsyncAuditLog:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        actor: str | Omit = OMIT,
        action: str | Omit = OMIT,
        resource_type: str | Omit = OMIT,
        resource_id: str | Omit = OMIT,
        from_: str | Omit = OMIT,
        to: str | Omit = OMIT,
        cursor: str | Omit = OMIT,
        limit: int | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.AuditEntryList, models.AuditEntry]:
        """List audit entries: `GET /api/v1/audit-log`.

        Lists audit entries, newest first. The order is stable while new entries arrive: send `nextCursor` as `cursor` to get the next page.

        :param workspace_id: The id of the workspace.
        :param actor: The id of an API key or a user.
        :param action: The action of the entries, such as `workspace.create`.
        :param resource_type: Only entries about resources of this type, such as `connection`.
        :param resource_id: Only entries about the resource with this id.
        :param from_: Returns entries from this time on.
        :param to: Returns entries before this time.
        :param cursor: The `nextCursor` of the previous page.
        :param limit: The maximum number of items in the response.
        """
        request: Request[models.AuditEntryList] = Request(
            "GET",
            "/api/v1/audit-log",
            query={
                "workspaceId": workspace_id,
                "actor": actor,
                "action": action,
                "resourceType": resource_type,
                "resourceId": resource_id,
                "from": from_,
                "to": to,
                "cursor": cursor,
                "limit": limit,
            },
            returns={200: models.AuditEntryList},
        )
        return await self._transport.pages(request, options, models.AuditEntry, "entries")

    def export(
        self,
        *,
        workspace_id: str | Omit = OMIT,
        actor: str | Omit = OMIT,
        action: str | Omit = OMIT,
        resource_type: str | Omit = OMIT,
        resource_id: str | Omit = OMIT,
        from_: str | Omit = OMIT,
        to: str | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> AsyncIterator[models.AuditEntry]:
        """Export the audit log: `GET /api/v1/audit-log/export`.

        Exports all entries that match the filters as JSON lines, newest first. If the response ends early, the export is incomplete.

        :param workspace_id: The id of the workspace.
        :param actor: Only entries of this user, API key or end user.
        :param action: Only entries of this action, such as `connection.create`.
        :param resource_type: Only entries about resources of this type, such as `connection`.
        :param resource_id: Only entries about the resource with this id.
        :param from_: Only entries made at this moment or later.
        :param to: Only entries made before this moment.
        """
        request: Request[models.AuditEntry] = Request(
            "GET",
            "/api/v1/audit-log/export",
            query={
                "workspaceId": workspace_id,
                "actor": actor,
                "action": action,
                "resourceType": resource_type,
                "resourceId": resource_id,
                "from": from_,
                "to": to,
            },
        )
        return self._transport.stream(request, options, models.AuditEntry)


class Pieces:
    def __init__(self, transport: SyncTransport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Pages[models.PieceList, models.Piece]:
        """List pieces: `GET /api/v1/pieces`.

        Lists all pieces with their actions and triggers.
        """
        request: Request[models.PieceList] = Request("GET", "/api/v1/pieces", returns={200: models.PieceList})
        return self._transport.pages(request, options, models.Piece, "data")

    def get(
        self,
        name: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Piece:
        """Get a piece: `GET /api/v1/pieces/{name}`.

        Returns one piece with its actions and triggers.

        Fails with `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.Piece] = Request("GET", to_path("/api/v1/pieces/{name}", name), returns={200: models.Piece})
        return self._transport.send(request, options)

    def resolve_options(
        self,
        name: str,
        *,
        property_name: str,
        connection_id: str | Omit = OMIT,
        input: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.PropertyOptions:
        """List options of a piece property: `POST /api/v1/pieces/{name}/properties/options`.

        Returns the options of a select property. Options that only the provider has are requested from it. If several actions have a property of this
        name, the first action with all refreshers of the property in `input` is used. `/api/v1/integrations/{integrationName}/properties/options`
        distinguishes them.

        :param property_name: The name of the property. If several actions or triggers have it, the first of them with all refreshers of the property in `input` is used, actions before triggers.
        :param connection_id: Required if the piece needs a connection.
        :param input: The current values of the form. Defaults to {}.

        Fails with `CONNECTION_REQUIRED`, `NOT_DROPDOWN`, `NO_OPTIONS_FN`, `OPTIONS_FAILED`, `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.PropertyOptions] = Request(
            "POST",
            to_path("/api/v1/pieces/{name}/properties/options", name),
            body={"propertyName": property_name, "connectionId": connection_id, "input": input},
            returns={200: models.PropertyOptions},
            takes_long=True,
        )
        return self._transport.send(request, options)

    def resolve_properties(
        self,
        name: str,
        *,
        property_name: str,
        connection_id: str | Omit = OMIT,
        input: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ResolvedProps:
        """List properties of a dynamic piece property: `POST /api/v1/pieces/{name}/properties/resolve`.

        Returns the properties of a dynamic property. The property is selected by the same rules as for the options of a select property.

        :param property_name: The name of the property. If several actions or triggers have it, the first of them with all refreshers of the property in `input` is used, actions before triggers.
        :param connection_id: Required if the piece needs a connection.
        :param input: The current values of the form. Defaults to {}.

        Fails with `CONNECTION_REQUIRED`, `NOT_DYNAMIC`, `NO_PROPS_FN`, `RESOLVE_FAILED`, `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.ResolvedProps] = Request(
            "POST",
            to_path("/api/v1/pieces/{name}/properties/resolve", name),
            body={"propertyName": property_name, "connectionId": connection_id, "input": input},
            returns={200: models.ResolvedProps},
            takes_long=True,
        )
        return self._transport.send(request, options)


class AsyncPieces:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> AsyncPages[models.PieceList, models.Piece]:
        """List pieces: `GET /api/v1/pieces`.

        Lists all pieces with their actions and triggers.
        """
        request: Request[models.PieceList] = Request("GET", "/api/v1/pieces", returns={200: models.PieceList})
        return await self._transport.pages(request, options, models.Piece, "data")

    async def get(
        self,
        name: str,
        *,
        options: RequestOptions | None = None,
    ) -> models.Piece:
        """Get a piece: `GET /api/v1/pieces/{name}`.

        Returns one piece with its actions and triggers.

        Fails with `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.Piece] = Request("GET", to_path("/api/v1/pieces/{name}", name), returns={200: models.Piece})
        return await self._transport.send(request, options)

    async def resolve_options(
        self,
        name: str,
        *,
        property_name: str,
        connection_id: str | Omit = OMIT,
        input: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.PropertyOptions:
        """List options of a piece property: `POST /api/v1/pieces/{name}/properties/options`.

        Returns the options of a select property. Options that only the provider has are requested from it. If several actions have a property of this
        name, the first action with all refreshers of the property in `input` is used. `/api/v1/integrations/{integrationName}/properties/options`
        distinguishes them.

        :param property_name: The name of the property. If several actions or triggers have it, the first of them with all refreshers of the property in `input` is used, actions before triggers.
        :param connection_id: Required if the piece needs a connection.
        :param input: The current values of the form. Defaults to {}.

        Fails with `CONNECTION_REQUIRED`, `NOT_DROPDOWN`, `NO_OPTIONS_FN`, `OPTIONS_FAILED`, `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.PropertyOptions] = Request(
            "POST",
            to_path("/api/v1/pieces/{name}/properties/options", name),
            body={"propertyName": property_name, "connectionId": connection_id, "input": input},
            returns={200: models.PropertyOptions},
            takes_long=True,
        )
        return await self._transport.send(request, options)

    async def resolve_properties(
        self,
        name: str,
        *,
        property_name: str,
        connection_id: str | Omit = OMIT,
        input: Mapping[str, Any] | Omit = OMIT,
        options: RequestOptions | None = None,
    ) -> models.ResolvedProps:
        """List properties of a dynamic piece property: `POST /api/v1/pieces/{name}/properties/resolve`.

        Returns the properties of a dynamic property. The property is selected by the same rules as for the options of a select property.

        :param property_name: The name of the property. If several actions or triggers have it, the first of them with all refreshers of the property in `input` is used, actions before triggers.
        :param connection_id: Required if the piece needs a connection.
        :param input: The current values of the form. Defaults to {}.

        Fails with `CONNECTION_REQUIRED`, `NOT_DYNAMIC`, `NO_PROPS_FN`, `RESOLVE_FAILED`, `INTEGRATION_NOT_FOUND`.
        """
        request: Request[models.ResolvedProps] = Request(
            "POST",
            to_path("/api/v1/pieces/{name}/properties/resolve", name),
            body={"propertyName": property_name, "connectionId": connection_id, "input": input},
            returns={200: models.ResolvedProps},
            takes_long=True,
        )
        return await self._transport.send(request, options)
