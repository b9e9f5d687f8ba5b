import { type FoundInvitation, requireAcceptable } from './accept-invitation.js';

const OPEN: FoundInvitation = { email: 'ann@acme.example', role: 'member', status: 'pending', isOver: false };
const ann = 'ann@acme.example';
const bob = 'bob@acme.example';

describe('an invitation', () => {
  it('is accepted by the user with its email', () => {
    expect(requireAcceptable(OPEN, 'i', ann)).toBe(OPEN);
  });

  it.each([
    ['does not exist', undefined, ann, 'NOT_FOUND'],
    ['was accepted', { ...OPEN, status: 'accepted' }, ann, 'NOT_FOUND'],
    ['was canceled', { ...OPEN, status: 'canceled' }, bob, 'NOT_FOUND'],
    ['has an unknown status', { ...OPEN, status: 'strange' }, ann, 'NOT_FOUND'],
    ['names another address', OPEN, bob, 'FORBIDDEN'],
    ['names another address and has expired', { ...OPEN, isOver: true }, bob, 'FORBIDDEN'],
    ['has expired', { ...OPEN, isOver: true }, ann, 'EXPIRED'],
    ['was replaced by a new one', { ...OPEN, status: 'expired' }, ann, 'EXPIRED'],
  ])('is refused when it %s', (_why, invitation, email, code) => {
    expect(() => requireAcceptable(invitation, 'i', email)).toThrow(expect.objectContaining({ code }));
  });

  it('for another address is refused with the address of the caller, and without the invited address', () => {
    const message = expect.stringMatching(/^(?=.*bob@acme\.example)(?!.*ann@acme\.example)/);
    expect(() => requireAcceptable(OPEN, 'i', bob)).toThrow(expect.objectContaining({ message }));
  });
});
