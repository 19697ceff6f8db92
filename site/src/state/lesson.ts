// LessonLink names a lesson in a fragment, "" for none, and the step on show, counted
// from 1.
export interface LessonLink {
  name: string;
  step: number;
}

export const NO_LESSON: Readonly<LessonLink> = { name: "", step: 1 };
