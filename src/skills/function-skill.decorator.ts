import { applyDecorators, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

/** Finds what `@FunctionSkill()` marks. */
export const FunctionSkillMark = DiscoveryService.createDecorator();

/** Puts a class that implements Skill into the catalogue of every company. */
export function FunctionSkill(): ClassDecorator {
  return applyDecorators(Injectable(), FunctionSkillMark());
}
