/** Lets a program of this package run from its sources, whose imports name compiled files. Import it before others. */
import nodeModule from 'node:module';

nodeModule.registerHooks({
  resolve: (specifier, context, next) => {
    const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
    return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
