import { ApiError } from '@drawbridge/contracts';
import { type Matched } from './policies-in-force.js';

export function blocked({ policy, reasons }: Matched): ApiError {
  const details = { policyId: policy.id, reasons };
  return new ApiError('FORBIDDEN', `The approval policy ${policy.name} blocks this`, { details });
}
