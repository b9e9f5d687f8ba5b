import { askedPiece } from './parts/asked.mjs';

export const asked = (kit) => askedPiece(kit, { name: 'asked', hasAuth: true });
