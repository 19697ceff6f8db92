// LessonLink is what a fragment says of a lesson: its name, "" for none, and the step
// on show, counted from 1.
export interface LessonLink {
  name: string;
  step: number;
}

export const NO_LESSON: Readonly<LessonLink> = { name: "", step: 1 };
