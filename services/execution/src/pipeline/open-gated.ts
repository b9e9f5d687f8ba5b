import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type Admitted, gate } from './gate.js';
import { open, type OpenedCredential } from './open.js';
import { type ActionCall, type Pipeline } from './pipeline.js';
import { type ResolvedCall } from './resolve.js';
import { type SelectedConnection } from './select.js';

type Needs = Pick<Pipeline, 'policies' | 'vault' | 'redactorFor' | 'previewer'>;

/** Either the approval that the call waits for, or the credential that it runs with. */
type Gated =
  | { pending: Approval; approval?: undefined; requireRedirect?: undefined; opened?: undefined }
  | (Pick<Admitted, 'approval' | 'requireRedirect'> & { pending?: undefined; opened: OpenedCredential });

/**
 * Evaluates the policies, then opens the connection. An approval covers one generation of a credential: when the connection was
 * reconnected between the two steps, the policies are evaluated again with the credential that was opened. Fails as both steps do.
 */
export async function openGated(
  pipeline: Needs,
  call: ActionCall & ResolvedCall,
  selected: SelectedConnection | undefined,
): Promise<Gated> {
  const { approval, pending, requireRedirect } = await gate(pipeline, call, selected);
  if (pending) return { pending };
  const opened = await open(pipeline, call, selected?.connectionId);
  const { generation, account: displayName } = opened;
  const isCovered = generation === selected?.generation && displayName === selected?.displayName;
  if (!approval || !selected || isCovered) return { approval, requireRedirect, opened };
  return openGated(pipeline, call, { ...selected, generation, displayName });
}
