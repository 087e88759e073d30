import { z } from 'zod';

import type { Job } from '../../jobs/job-queue.js';

const MemberOfCompany = z.object({ companyId: z.uuid(), memberId: z.uuid() });

/** Removes a member who is to be erased, and all that is theirs. */
export const eraseMember: Job<z.output<typeof MemberOfCompany>> = {
  name: 'erase-member',
  data: MemberOfCompany,
  keyOf: ({ memberId }) => memberId,
  // Years of conversations, one after the other.
  maxSeconds: 600,
  atATime: 2,
};
