import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type Clients, unless } from '../clients.js';
import { bodyTooLarge } from '../http/read-body.js';

export const WITHOUT_FILES_BYTES = 1_048_576;

/** Throws VALIDATION_ERROR (413) for a body of more than 1 MiB, unless the action accepts files. */
export async function requireFiles(
  { integrationName, actionName }: ExecuteActionRequest,
  integrations: Clients['integrations'],
): Promise<void> {
  const integration = await integrations
    .getIntegration({ name: integrationName })
    .catch(unless('INTEGRATION_NOT_FOUND'));
  const props = Object.values(integration?.actions[actionName]?.props ?? {});
  if (!props.some(({ type }) => type === 'FILE')) throw bodyTooLarge(WITHOUT_FILES_BYTES);
}
