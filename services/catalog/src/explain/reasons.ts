import { isFor, type Operation, type PartialHead } from '../partials/pick-partials.js';
import { type InstanceSelector } from '../pick-instance.js';

export function isNaming({ workspaceIntegrationId, integrationAlias }: InstanceSelector): boolean {
  return workspaceIntegrationId !== undefined || integrationAlias !== undefined;
}

/**
 * Returns why a configured integration is selected: the call names it, it is the only one of its integration, or its alias is the integration's name.
 */
export function whyPicked(selector: InstanceSelector, candidates: number): string {
  if (isNaming(selector)) return 'named';
  return candidates === 1 ? 'only' : 'default';
}

/** Returns why a configured integration is not selected. `isPicked`: another one is. */
export function whyNotPicked(selector: InstanceSelector, isPicked: boolean): string {
  if (!isPicked) return 'ambiguous';
  return isNaming(selector) ? 'not_named' : 'not_default';
}

/** Returns why a partial of the configured integration does not apply. */
export function whyNotApplied(head: PartialHead, operation: Operation, partialIds?: readonly string[]): string {
  if (!isFor(head, operation)) return 'other_operation';
  return partialIds ? 'not_named' : 'not_default';
}
