import { SourceSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { WebhookSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/webhook_secrets';
import { expose } from '@drawbridge/rpc';
import { type ServiceAssembly } from '@drawbridge/service';
import { type SourceSecretParts, sourceSecrets } from './source-secrets.js';
import { type WebhookSecretParts, webhookSecrets } from './webhook-secrets.js';

/** The RPCs of signing secrets: those of an organization, and those of a trigger. */
export const webhookRpcs = (parts: SourceSecretParts & WebhookSecretParts): ServiceAssembly['rpcs'] => [
  expose(SourceSecretServiceDefinition, sourceSecrets(parts)),
  expose(WebhookSecretServiceDefinition, webhookSecrets(parts)),
];
