import { readLogs } from '@drawbridge/testkit';
import { type Api, apiOf } from './api.js';
import { newOrganization } from './organizations.js';
import { type Shared, shared } from './shared.js';

/** The product that all test files of a run share, as the two organizations of one file see it. */
export interface Drawbridge extends Shared {
  /** Of this file's organization, which nobody else uses; plan enterprise. */
  key: string;
  api: Api;
  orgId: string;
  /** A second organization. What it does must never reach the first. */
  other: Api;
  otherKey: string;
  /** All that the product's processes have written so far. */
  logs(): string;
}

let mine: Promise<Drawbridge> | undefined;

/** The same answer at every call within one test file. */
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
