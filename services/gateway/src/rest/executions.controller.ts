import {
  type Execution,
  type ExecutionList,
  type ListExecutionsRequest,
} from '@drawbridge/proto/drawbridge/execution/v1/executions';
import { type Uuid } from '@drawbridge/proto/uuid';
import { type Readable } from 'node:stream';
import { Extension, Get, Path, Produces, Queries, Request, Route, Tags } from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { ApiController } from './api-controller.js';
import { executionEvents } from './execution-events.js';

@Route('api/v1/executions')
@Tags('Executions')
export class ExecutionsController extends ApiController {
  /**
   * Lists executions, newest first. The order is stable while new executions arrive: send `nextCursor` as `cursor` to get the next page.
   */
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

  /**
   * Streams the events of a run (server-sent events): `console` for each line, then `end` with its status. Send `Last-Event-ID` to continue after a
   * line. A stream that closes without `end` must be opened again.
   */
  @Get('{id}/events')
  @Produces('text/event-stream')
  @Extension('x-listens', true)
  @Extension('x-fails', ['NOT_FOUND'])
  async getExecutionEvents(@Request() request: HttpRequest, @Path() id: Uuid): Promise<Readable> {
    this.setHeader('Content-Type', 'text/event-stream');
    this.setHeader('X-Accel-Buffering', 'no');
    return executionEvents(request, (after) => this.services.executions.getExecutionEvents({ id, after }));
  }
}
