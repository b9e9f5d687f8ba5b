import { type Prisma } from '../gen/prisma/client.js';

/** The order in which tools are listed: the owner's order, then the oldest first. */
export const LISTED: Prisma.ToolOrderByWithRelationInput[] = [
  { sortOrder: 'asc' },
  { createdAt: 'asc' },
  { id: 'asc' },
];
