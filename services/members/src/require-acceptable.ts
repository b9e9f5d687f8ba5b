import { ApiError, notFound } from '@drawbridge/contracts';

export interface Found {
  email: string;
  role: string;
  status: string;
  /** Expired by the database's clock. */
  isOver: boolean;
}

/** Throws NOT_FOUND, FORBIDDEN or EXPIRED unless the user with this email may accept the invitation. */
export function requireAcceptable(invitation: Found | undefined, id: string, email: string | undefined): Found {
  if (!invitation || !['pending', 'expired'].includes(invitation.status)) throw notFound('Invitation', id);
  if (invitation.email !== email) throw new ApiError('FORBIDDEN', `Invitation ${id} is for another email`);
  if (invitation.isOver || invitation.status === 'expired') {
    throw new ApiError('EXPIRED', `Invitation ${id} has expired; ask for a new one`);
  }
  return invitation;
}
