import { Args, Field, Int, ObjectType, Parent, ResolveField, Resolver } from '@nestjs/graphql';

import { Clock } from '../common/clock.js';
import { ReadersLanguage } from '../common/schema/readers-language.js';
import { OperationLoaders } from '../companies/auth/viewer-decorators.js';
import type { Loaders } from '../companies/auth/graphql-context.js';
import type { SkillUse } from '../conversations/turns/skill-call.repository.js';
import { SkillCallResults } from '../conversations/turns/skill-call-results.service.js';
import { descriptionIn, nameIn, packRemarkIn } from './skill-names.js';
import { unavailabilityOf } from './skill.js';
import { MAX_LISTED, SkillModel } from './skill.model.js';
import type { CompanySkill } from './skills.service.js';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

@ObjectType('SkillUse', { description: 'How often a skill was called.' })
class SkillUseModel implements SkillUse {
  @Field(() => Int, { description: 'The number of calls, including running ones.' })
  calls!: number;

  @Field(() => Int, { description: 'The number of failed calls. Denied calls do not count.' })
  failures!: number;
}

@Resolver(() => SkillModel)
export class SkillUseResolver {
  constructor(
    private readonly calls: SkillCallResults,
    private readonly clock: Clock,
  ) {}

  @ResolveField(() => String, { description: 'The display name.' })
  name(@Parent() skill: CompanySkill, @ReadersLanguage() language: string): string {
    return skill.found ? nameIn(skill.found, language) : skill.key;
  }

  @ResolveField(() => String, {
    description:
      'What it does. With language: the text for people in that language or in English, if there is one. Otherwise the model’s text, which also says when to use it.',
  })
  description(
    @Parent() { found }: CompanySkill,
    @Args('language', {
      type: () => String,
      nullable: true,
      description:
        'The reader’s language, BCP 47: en, es, fr and zh-Hant are supported. Null: the model’s text.',
    })
    language: string | null | undefined,
  ): string {
    if (!found) return '';
    return language ? descriptionIn(found, language) : found.description;
  }

  @ResolveField(() => String, {
    nullable: true,
    description: 'What is missing. Null if it is available. Texts from errors and servers are in English.',
  })
  unavailableReason(@Parent() { found }: CompanySkill, @ReadersLanguage() language: string): string | null {
    return unavailabilityOf(found, language);
  }

  @ResolveField(() => [String], {
    description: 'Problems in its instructions, for the author. The skill works anyway.',
  })
  warnings(@Parent() { found }: CompanySkill, @ReadersLanguage() language: string): string[] {
    return found?.pack?.warnings.map((remark) => packRemarkIn(remark, language)) ?? [];
  }

  @ResolveField(() => SkillUseModel, {
    nullable: true,
    description:
      'The company’s calls in the last seven days, among its last 10,000 calls. Null for instructions, and unless the viewer is an admin.',
  })
  lastWeek(
    @OperationLoaders() loaders: Loaders,
    @Parent() { key, kind }: CompanySkill,
  ): Promise<SkillUse> | null {
    const { viewer } = loaders;
    if (kind === 'INSTRUCTIONS' || viewer.role === 'MEMBER') return null;
    const since = new Date(this.clock.now().getTime() - WEEK_MS);
    const count = (keys: readonly string[]) => this.calls.countSince(viewer, keys, since);
    // All that a company lists are counted by one statement.
    return loaders.of(SkillUseModel, count, MAX_LISTED).load(key);
  }
}
