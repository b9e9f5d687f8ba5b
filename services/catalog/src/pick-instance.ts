import { invalid } from '@drawbridge/contracts';
/** Aliases that fit into an error message. */
const MAX_ALIASES = 50;

/** The fields by which a configured integration is selected. */
interface Pickable {
  integrationName: string;
  instance: { id: string; alias: string };
}

/** How a call selects a configured integration. */
export interface InstanceSelector {
  integrationName: string;
  workspaceIntegrationId?: string;
  /** Used when workspaceIntegrationId is absent. */
  integrationAlias?: string;
}

/**
 * Returns the configured integration of a call: the named one, else the only one of the integration, else the one whose alias is the integration's
 * name. Undefined if the workspace configured none and the call names none. Throws VALIDATION_ERROR for a name that does not exist in the
 * integration, and if several remain.
 */
export function pickInstance<One extends Pickable>(
  configured: readonly One[],
  selector: InstanceSelector,
): One | undefined {
  const { integrationName, workspaceIntegrationId, integrationAlias } = selector;
  const candidates = ofIntegration(configured, integrationName);
  if (workspaceIntegrationId !== undefined) {
    const id = workspaceIntegrationId.toLowerCase();
    const named = candidates.find(({ instance }) => instance.id === id);
    return named ?? refuse('workspaceIntegrationId', `no ${integrationName} integration ${id} in this workspace`);
  }
  if (integrationAlias !== undefined) {
    const named = withAlias(candidates, integrationAlias);
    return named ?? refuse('integrationAlias', `no ${integrationName} integration has this alias${known(candidates)}`);
  }
  const unnamed = theDefault(candidates, integrationName);
  if (unnamed || candidates.length === 0) return unnamed;
  return refuse('integrationAlias', `is required: ${integrationName} is configured more than once${known(candidates)}`);
}

/** Returns the configured integration of a call that names none; undefined if there is none, or if the call would have to name one. */
export function defaultInstance<One extends Pickable>(
  configured: readonly One[],
  integrationName: string,
): One | undefined {
  return theDefault(ofIntegration(configured, integrationName), integrationName);
}

function ofIntegration<One extends Pickable>(configured: readonly One[], integrationName: string): One[] {
  return configured.filter((one) => one.integrationName === integrationName);
}

function theDefault<One extends Pickable>(candidates: One[], integrationName: string): One | undefined {
  return candidates.length === 1 ? candidates[0] : withAlias(candidates, integrationName);
}

function withAlias<One extends Pickable>(candidates: One[], alias: string): One | undefined {
  return candidates.find(({ instance }) => instance.alias === alias);
}

function known(candidates: Pickable[]): string {
  if (candidates.length === 0) return '';
  const aliases = candidates.map(({ instance }) => instance.alias).sort();
  return `; there are ${aliases.slice(0, MAX_ALIASES).join(', ')}`;
}

function refuse(key: keyof InstanceSelector, message: string): never {
  throw invalid({ [key]: message });
}
