import { toPatch } from '@drawbridge/contracts';
import {
  type CreatePartialRequest,
  type InputPartial as StoredPartial,
  type InputPartialChanges,
  type ListPartialsRequest,
} from '@drawbridge/proto/drawbridge/catalog/v1/input_partials';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Get, Patch, Path, Post, Queries, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';
import { textOf } from './json-text.js';

/** The values that an input partial merges into the input of actions and triggers of one configured integration. */
interface InputPartial extends Omit<StoredPartial, 'valuesJson'> {
  values: { [key: string]: unknown };
}

interface InputPartialList {
  partials: InputPartial[];
  /** @isInt */
  total: number;
}

interface SetDefaultPartialBody {
  isDefault: boolean;
}

@Route('api/v1/partials')
@Tags('Input partials')
export class PartialsController extends ApiController {
  /** Lists the input partials of a workspace that match every filter, newest first. */
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listPartials(@Queries() query: ListPartialsRequest): Promise<InputPartialList> {
    const { partials, total } = await this.services.partials.listPartials(query);
    return this.text(`{"partials":[${partials.map(toText).join(',')}],"total":${total}}`);
  }

  /**
   * Creates an input partial of one configured integration. Deleting the configured integration deletes the partial. It applies to calls that list it
   * or, if it is a default, to calls that list no partials.
   */
  @Post()
  @SuccessResponse(201)
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  @Extension('x-example', {
    workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
    integrationName: 'github',
    actionName: 'create_issue',
    name: 'Bugs of the app',
    values: { repo: 'acme/app', labels: ['bug'] },
    enforcedKeys: ['repo'],
    isDefault: true,
  })
  async createPartial(@Body() body: CreatePartialRequest): Promise<{ partial: InputPartial }> {
    return { partial: withValues(await this.services.partials.createPartial(body)) };
  }

  @Get('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getPartial(@Path() id: Uuid): Promise<{ partial: InputPartial }> {
    return { partial: withValues(await this.services.partials.getPartial({ id })) };
  }

  /** Updates the specified fields of an input partial. */
  @Patch('{id}')
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  @Extension('x-example', { values: { repo: 'acme/api' }, enforcedKeys: [] })
  async updatePartial(@Path() id: Uuid, @Body() body: InputPartialChanges): Promise<{ partial: InputPartial }> {
    return { partial: withValues(await this.services.partials.updatePartial({ id, ...toPatch(body) })) };
  }

  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deletePartial(@Path() id: Uuid): Promise<Deleted> {
    return this.services.partials.deletePartial({ id });
  }

  /** Sets whether an input partial applies to calls that list no partials. */
  @Post('{id}/set-default')
  @Extension('x-fails', ['NOT_FOUND'])
  @Extension('x-example', { isDefault: true })
  async setDefaultPartial(@Path() id: Uuid, @Body() body: SetDefaultPartialBody): Promise<{ partial: InputPartial }> {
    return { partial: withValues(await this.services.partials.setDefaultPartial({ id, ...body })) };
  }
}

function withValues({ valuesJson, ...message }: StoredPartial): InputPartial {
  return { ...message, values: JSON.parse(valuesJson) };
}

function toText({ valuesJson: values, ...message }: StoredPartial): string {
  return textOf(message, { values });
}
