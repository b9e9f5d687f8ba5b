import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type ApiKeyList,
  type CreateApiKeyRequest,
  type CreatedApiKey,
  type ListApiKeysRequest,
} from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Get, Path, Post, Queries, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

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
  async createApiKey(@Body() body: CreateApiKeyRequest): Promise<CreatedApiKey> {
    return this.services.apiKeys.createApiKey(body);
  }

  /** Revokes the key: it is refused everywhere within a second. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async revokeApiKey(@Path() id: Uuid): Promise<Deleted> {
    return this.services.apiKeys.revokeApiKey({ id });
  }
}
