import { vendorPiece } from './parts/vendor.mjs';

export const testSalesforce = (kit) => vendorPiece(kit, 'salesforce');
