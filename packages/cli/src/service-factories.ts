// Every service of the product, by name. `SERVICES` contains them in start order.
export { approvals } from '@drawbridge/approvals';
export { catalog } from '@drawbridge/catalog';
export { connections } from '@drawbridge/connections';
export { execution } from '@drawbridge/execution';
export { gateway } from '@drawbridge/gateway';
export { mcp } from '@drawbridge/mcp';
export { members } from '@drawbridge/members';
export { triggers } from '@drawbridge/triggers';
