import {
  type Execution,
  type ExecutionList,
  type ListExecutionsRequest,
} from '@drawbridge/proto/drawbridge/execution/v1/executions';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Extension, Get, Path, Queries, Route, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

@Route('api/v1/executions')
@Tags('Executions')
export class ExecutionsController extends ApiController {
  /** The run log, newest first. Stable while new runs arrive: pass `nextCursor` on. */
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listExecutions(@Queries() query: ListExecutionsRequest): Promise<ExecutionList> {
    return this.services.executions.listExecutions(query);
  }

  @Get('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getExecution(@Path() id: Uuid): Promise<{ execution: Execution }> {
    return { execution: await this.services.executions.getExecution({ id }) };
  }
}
