import { type Grant, toPatch } from '@drawbridge/contracts';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type ApiKey,
  type ApiKeyChanges,
  type ApiKeyList,
  type CreateApiKeyRequest,
  type CreatedApiKey,
  type ListApiKeysRequest,
  type Permissions,
} from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Get, Patch, Path, Post, Queries, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

interface GivenPermissions extends Omit<Permissions, 'approvals'> {
  scope: 'org' | 'workspace';
  /** Allows the key to decide approval requests. Defaults to false. */
  approvals?: { decide?: boolean };
  /** 1 to 100 workspaces of the organization. Only with the scope `workspace`. */
  workspaceIds?: Uuid[];
  /** The permissions of the key. Defaults to all permissions. `.write` of an area includes its `.read`. */
  grants?: Grant[];
}

interface CreateApiKeyBody extends Omit<CreateApiKeyRequest, 'permissions'> {
  permissions?: GivenPermissions;
}

interface UpdateApiKeyBody extends Omit<ApiKeyChanges, 'permissions'> {
  permissions?: GivenPermissions;
}

@Route('api/v1/api-keys')
@Tags('API keys')
export class ApiKeysController extends ApiController {
  @Get()
  async listApiKeys(@Queries() query: ListApiKeysRequest): Promise<ApiKeyList> {
    return this.services.apiKeys.listApiKeys(query);
  }

  /** Creates an API key. No other response contains the key. */
  @Post()
  @SuccessResponse(201)
  @Extension('x-example', { name: 'CI' })
  async createApiKey(@Body() body: CreateApiKeyBody): Promise<CreatedApiKey> {
    return this.services.apiKeys.createApiKey(withDecision(body));
  }

  /** Updates the given fields of an API key and replaces its permissions as a whole. The change takes effect within one second. */
  @Patch('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  @Extension('x-example', { name: 'CI of the shop', permissions: { scope: 'org', grants: ['actions.execute'] } })
  async updateApiKey(@Path() id: Uuid, @Body() body: UpdateApiKeyBody): Promise<{ apiKey: ApiKey }> {
    return { apiKey: await this.services.apiKeys.updateApiKey({ id, ...toPatch(withDecision(body)) }) };
  }

  /** Revokes an API key. Requests with the key are rejected within one second. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async revokeApiKey(@Path() id: Uuid): Promise<Deleted> {
    return this.services.apiKeys.revokeApiKey({ id });
  }
}

/** Sets an absent `approvals.decide` to false, because the RPC message requires a boolean. */
function withDecision<Body extends { permissions?: GivenPermissions }>({ permissions, ...body }: Body) {
  if (!permissions) return body;
  const { approvals } = permissions;
  return { ...body, permissions: { ...permissions, approvals: approvals && { decide: approvals.decide ?? false } } };
}
