import { applyDecorators, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

/** The mark that `@FunctionSkill()` sets. */
export const FunctionSkillMark = DiscoveryService.createDecorator();

/** Puts a class that implements Skill into the catalogue of every company. */
export function FunctionSkill(): ClassDecorator {
  return applyDecorators(Injectable(), FunctionSkillMark());
}
