import { polledPiece } from './parts/polled.mjs';

export const beside = (kit) => polledPiece(kit, { name: 'beside', origin: 'https://api.beside.example' });
