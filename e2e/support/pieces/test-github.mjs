import { vendorPiece } from './parts/vendor.mjs';

export const testGithub = (kit) => vendorPiece(kit, 'github');
