import { Injectable, type OnModuleInit } from '@nestjs/common';

import { StoredFilesService } from '../../files/stored-files.service.js';
import { MembersService } from '../members/members.service.js';
import { EXPORT_PAGE, MemberData, pageById } from './member-data.js';

/** Who a member is and the list of their files, in an export. The files themselves have links of their own. */
@Injectable()
export class OwnData implements OnModuleInit {
  constructor(
    private readonly data: MemberData,
    private readonly members: MembersService,
    private readonly files: StoredFilesService,
  ) {}

  onModuleInit(): void {
    this.data.onExport('profile', async (tx, memberId) => {
      const { id, subject, name, email, role, createdAt } = await this.members.get(tx, memberId);
      return {
        items: [{ id, subject, name, email, role, createdAt: createdAt.toISOString() }],
        next: null,
      };
    });
    this.data.onExport('files', async (tx, memberId, after) =>
      pageById(
        await this.files.listAfter(tx, memberId, after, EXPORT_PAGE),
        ({ id, kind, name, mediaType, bytes, sha256, createdAt }) => ({
          id,
          kind,
          name,
          mediaType,
          bytes,
          sha256,
          createdAt: createdAt.toISOString(),
        }),
      ),
    );
  }
}
