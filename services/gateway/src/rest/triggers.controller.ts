import {
  type DisabledTrigger,
  type DisableTriggerRequest,
  type EnabledTrigger,
  type EnableTriggerRequest,
  type ListTriggersRequest,
  type TestTriggerRequest,
  type TriggerList,
  type TriggerSample,
} from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { Body, Extension, Get, Post, Queries, Request, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { ApiController } from './api-controller.js';

/** The third party has 60 s, and a token that has ended is refreshed first: the answer comes from the service, not from this clock. */
const ENABLING = { timeoutMs: 120_000 };

interface EnableTriggerBody extends Omit<EnableTriggerRequest, 'baseUrl'> {}

@Route('api/v1/triggers')
@Tags('Triggers')
export class TriggersController extends ApiController {
  /** Newest first. */
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listTriggers(@Queries() query: ListTriggersRequest): Promise<TriggerList> {
    return this.services.triggers.listTriggers(query);
  }

  /**
   * Webhook triggers are registered at the third party, polling ones remember where to begin; the answer comes when that is done. The only
   * answer that shows the signing secret.
   */
  @Post('enable')
  @SuccessResponse(201)
  @Extension('x-fails', [
    'NOT_FOUND',
    'INTEGRATION_NOT_FOUND',
    'TRIGGER_NOT_FOUND',
    'POLLING_INTERVAL_TOO_SHORT',
    'CONNECTION_REQUIRED',
    '400 CONNECTION_NOT_FOUND',
    'ACTION_FAILED',
  ])
  @Extension('x-example', {
    integrationName: 'github',
    triggerName: 'push',
    workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
    callbackUrl: 'https://acme.example/events',
    callbackMetadata: { tenant: 'acme' },
    input: { repo: 'acme/app' },
  })
  async enableTrigger(@Body() body: EnableTriggerBody, @Request() request: HttpRequest): Promise<EnabledTrigger> {
    const baseUrl = this.site.address(request, '');
    return this.services.triggers.enableTrigger({ ...body, baseUrl }, ENABLING);
  }

  /** Nothing more is delivered. The third party is told soon after; where it does not hear of it, the trigger is disabled nonetheless. */
  @Post('disable')
  @Extension('x-fails', ['MISSING_ID', 'NOT_FOUND'])
  @Extension('x-example', { triggerSourceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37' })
  async disableTrigger(@Body() body: DisableTriggerRequest): Promise<DisabledTrigger> {
    return this.services.triggers.disableTrigger(body);
  }

  /** What an event of a trigger looks like, before one happens. Nobody is asked. */
  @Post('test')
  @Extension('x-fails', ['MISSING_FIELDS', 'INTEGRATION_NOT_FOUND', 'TRIGGER_NOT_FOUND'])
  @Extension('x-example', { integrationName: 'github', triggerName: 'push' })
  async testTrigger(@Body() body: TestTriggerRequest): Promise<TriggerSample> {
    return this.services.triggers.testTrigger(body);
  }
}
