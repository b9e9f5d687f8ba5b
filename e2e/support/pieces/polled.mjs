import { polledPiece } from './parts/polled.mjs';

export const polled = (kit) => polledPiece(kit, { name: 'polled', origin: 'https://api.polled.example' });
