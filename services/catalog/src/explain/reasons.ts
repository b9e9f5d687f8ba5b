import { isFor, type Operation, type PartialHead } from '../partials/pick-partials.js';
import { type InstanceSelector } from '../pick-instance.js';

export function isNaming({ workspaceIntegrationId, integrationAlias }: InstanceSelector): boolean {
  return workspaceIntegrationId !== undefined || integrationAlias !== undefined;
}

/** Why an instance is meant: the call names it, there is no other of its integration, or its alias is the integration's name. */
export function whyPicked(selector: InstanceSelector, candidates: number): string {
  if (isNaming(selector)) return 'named';
  return candidates === 1 ? 'only' : 'default';
}

/** Why one is not. `isPicked`: whether another one is. */
export function whyNotPicked(selector: InstanceSelector, isPicked: boolean): string {
  if (!isPicked) return 'ambiguous';
  return isNaming(selector) ? 'not_named' : 'not_default';
}

/** Why a partial of the instance does not apply. */
export function whyNotApplied(head: PartialHead, operation: Operation, partialIds?: readonly string[]): string {
  if (!isFor(head, operation)) return 'other_operation';
  return partialIds ? 'not_named' : 'not_default';
}
