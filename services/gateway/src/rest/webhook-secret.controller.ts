import { type NewWebhookSecret } from '@drawbridge/proto/drawbridge/connections/v1/webhook_secrets';
import { Post, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

@Route('api/v1/webhook-secret')
@Tags('Approvals')
export class WebhookSecretController extends ApiController {
  /**
   * Creates a new secret to sign the organization's webhooks. The previous secret also signs them for 24 hours. No other response contains
   * the secret.
   */
  @Post()
  @SuccessResponse(201)
  async rotateWebhookSecret(): Promise<NewWebhookSecret> {
    return this.services.webhookSecrets.rotateWebhookSecret({});
  }
}
