import { readLogs } from '@drawbridge/testkit';
import { type Api, apiOf } from './api.js';
import { newOrganization } from './organizations.js';
import { type Shared, shared } from './shared.js';

/** The product that all test files of a run share, with two organizations for this file. */
export interface Drawbridge extends Shared {
  /** An API key of this file's own organization, on the plan enterprise. */
  key: string;
  api: Api;
  orgId: string;
  /** The API of a second organization. Its actions must never affect the first. */
  other: Api;
  otherKey: string;
  /** Returns the logs of all processes of the product so far. */
  logs(): string;
}

let mine: Promise<Drawbridge> | undefined;

/** Opens the product for one test file. All calls in the file return the same promise, so its organizations are created once. */
export function drawbridge(): Promise<Drawbridge> {
  return (mine ??= open());
}

async function open(): Promise<Drawbridge> {
  const product = shared();
  const { baseUrl, databaseUrl, logFolder } = product;
  const [first, second] = await Promise.all([newOrganization(databaseUrl), newOrganization(databaseUrl)]);
  return {
    ...product,
    key: first.plainKey,
    orgId: first.organization.id,
    api: apiOf(baseUrl, first.plainKey),
    other: apiOf(baseUrl, second.plainKey),
    otherKey: second.plainKey,
    logs: () => readLogs(logFolder),
  };
}
