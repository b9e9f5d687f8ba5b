import { type NewWebhookSecret } from '@drawbridge/proto/drawbridge/connections/v1/webhook_secrets';
import { Post, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

@Route('api/v1/webhook-secret')
@Tags('Approvals')
export class WebhookSecretController extends ApiController {
  /**
   * A new secret, which signs the organization's webhooks from now on; the one before it signs them too for 24 h. The only answer that
   * shows it.
   */
  @Post()
  @SuccessResponse(201)
  async rotateWebhookSecret(): Promise<NewWebhookSecret> {
    return this.services.webhookSecrets.rotateWebhookSecret({});
  }
}
