export { personalData } from './personal-data.ts';
export { bounceIdOf, eventRangeOf } from './formats/bounce-id.ts';
export { type BounceType, bounceTypeOf, bounceTypes } from './formats/bounce-type.ts';
export { categoryTag, tag_name } from './formats/marks.ts';
