import { askedPiece } from './parts/asked.mjs';

export const askedOpen = (kit) => askedPiece(kit, { name: 'asked-open', hasAuth: false });
