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
  /** Deciding approval requests; off unless asked for. */
  approvals?: { decide?: boolean };
  /** 1 to 100 of the organization's, with scope `workspace` alone. */
  workspaceIds?: Uuid[];
  /** What the key may do; leave out for all. `.write` of an area holds its `.read`. */
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

  /** The only answer that shows the key. */
  @Post()
  @SuccessResponse(201)
  @Extension('x-example', { name: 'CI' })
  async createApiKey(@Body() body: CreateApiKeyBody): Promise<CreatedApiKey> {
    return this.services.apiKeys.createApiKey(withDecision(body));
  }

  /** Changes the keys that are given; permissions as a whole. It holds everywhere within a second. */
  @Patch('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  @Extension('x-example', { name: 'CI of the shop', permissions: { scope: 'org', grants: ['actions.execute'] } })
  async updateApiKey(@Path() id: Uuid, @Body() body: UpdateApiKeyBody): Promise<{ apiKey: ApiKey }> {
    return { apiKey: await this.services.apiKeys.updateApiKey({ id, ...toPatch(withDecision(body)) }) };
  }

  /** Revokes the key: it is refused everywhere within a second. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async revokeApiKey(@Path() id: Uuid): Promise<Deleted> {
    return this.services.apiKeys.revokeApiKey({ id });
  }
}

/** The message says whether a key decides, yes or no. */
function withDecision<Body extends { permissions?: GivenPermissions }>({ permissions, ...body }: Body) {
  if (!permissions) return body;
  const { approvals } = permissions;
  return { ...body, permissions: { ...permissions, approvals: approvals && { decide: approvals.decide ?? false } } };
}
