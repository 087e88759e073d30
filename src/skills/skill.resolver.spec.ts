import { Loaders } from '../auth/graphql-context.js';
import type { Viewer } from '../auth/viewer.js';
import type { Assistant } from '../assistants/assistant.entity.js';
import type { SkillAccess } from './skill-access.service.js';
import { SkillResolver } from './skill.resolver.js';
import type { CompanySkill, SkillsService } from './skills.service.js';

const ada = { id: 'ada', companyId: 'demo' } as Viewer;
const mefali = { key: 'mefali' } as Assistant;

/** A company with as many skills as one may have. */
const resolver = (): SkillResolver => {
  const skills = Array.from({ length: 5_000 }, () => ({ assistants: null }) as CompanySkill);
  return new SkillResolver({ list: async () => skills } as unknown as SkillsService, {} as SkillAccess);
};

const tooMany = {
  code: 'BAD_USER_INPUT',
  message: 'An answer shows at most 30000 skills. Ask for those of one assistant at a time.',
  extensions: { limit: 30_000 },
};

describe('the skills in an answer', () => {
  it('are counted however often they are shown from one reading', async () => {
    const skills = resolver();
    const loaders = new Loaders();
    for (let time = 0; time < 5; time += 1) {
      expect(await skills.skills(ada, loaders, mefali)).toHaveLength(5_000);
    }
    expect(await skills.list(ada, loaders)).toHaveLength(5_000);
    await expect(skills.skills(ada, loaders, mefali)).rejects.toMatchObject(tooMany);
    await expect(skills.list(ada, loaders)).rejects.toMatchObject(tooMany);
    expect(await skills.list(ada, new Loaders())).toHaveLength(5_000);
  });

  it('are counted anew for what a subscription shows next', async () => {
    const skills = resolver();
    const loaders = new Loaders();
    for (let time = 0; time < 10; time += 1) {
      loaders.clear();
      expect(await skills.skills(ada, loaders, mefali)).toHaveLength(5_000);
    }
  });
});
