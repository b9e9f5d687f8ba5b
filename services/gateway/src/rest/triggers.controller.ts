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

/** Must exceed the timeout of the service: the provider has 60 s, and an expired token is refreshed first. */
const ENABLING = { timeoutMs: 120_000 };

interface EnableTriggerBody extends Omit<EnableTriggerRequest, 'baseUrl' | 'callbackUrl'> {
  // eslint-disable-next-line no-warning-comments -- The limits of the proto do not apply here: its field can be absent, and a body must have it.
  /**
   * Receives the events: public HTTPS, or http to an address that the operator lists in EGRESS_ALLOW. With null, events are only stored, for 30 days:
   * read them with GET /api/v1/triggers/{id}/deliveries, for example during development on a computer that Drawbridge cannot reach.
   * @minLength 1
   * @maxLength 2000
   */
  callbackUrl: string | null;
}

@Route('api/v1/triggers')
@Tags('Triggers')
export class TriggersController extends ApiController {
  /** Lists trigger sources, newest first. */
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listTriggers(@Queries() query: ListTriggersRequest): Promise<TriggerList> {
    return this.services.triggers.listTriggers(query);
  }

  /**
   * Enables a trigger. A webhook trigger is registered at the provider, and a polling trigger stores its start position, before the
   * response is sent. No other response contains the signing secret.
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
    return this.services.triggers.enableTrigger(
      { ...body, callbackUrl: body.callbackUrl ?? undefined, baseUrl },
      ENABLING,
    );
  }

  /**
   * Disables a trigger: no further events are delivered. The webhook is removed at the provider in the background. The trigger is disabled even if
   * that fails.
   */
  @Post('disable')
  @Extension('x-fails', ['MISSING_ID', 'NOT_FOUND'])
  @Extension('x-example', { triggerSourceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37' })
  async disableTrigger(@Body() body: DisableTriggerRequest): Promise<DisabledTrigger> {
    return this.services.triggers.disableTrigger(body);
  }

  /** Returns a sample event of a trigger. No request is sent to the provider. */
  @Post('test')
  @Extension('x-fails', ['MISSING_FIELDS', 'INTEGRATION_NOT_FOUND', 'TRIGGER_NOT_FOUND'])
  @Extension('x-example', { integrationName: 'github', triggerName: 'push' })
  async testTrigger(@Body() body: TestTriggerRequest): Promise<TriggerSample> {
    return this.services.triggers.testTrigger(body);
  }
}
