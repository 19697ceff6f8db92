// Lessons: what one is, the way into them, and the scripts that show them, which are
// fetched when somebody asks for a lesson.

import { asset } from "../lib/assets";
import { byId } from "../lib/dom";
import { loadScript } from "../lib/script";
import type { Scenario, View } from "../protocol/scenario";
import { type LessonLink, NO_LESSON } from "../state/lesson";
import type { Messages } from "../state/messages";
import type { Page } from "../state/page";

export interface Choice {
  text: string;
  when?: string;
}

// The schema is that of core/scenario/lesson.go.
export interface Question {
  kind: "choice" | "number" | "text" | "goal";
  ask?: "predict" | "observe";
  prompt: string;
  choices?: Choice[];
  answer?: string;
  unit?: string;
  tolerance?: string;
  reveal?: string;
}

export interface Step {
  title: string;
  text: string;
  set?: Record<string, number | string>;
  free?: string[];
  view?: View;
  question?: Question;
}

export interface Lesson {
  title: string;
  minutes: number;
  about?: string;
  steps: Step[];
}

// ShippedLesson is an entry of lessons/index.json.
export interface ShippedLesson {
  name: string;
  hash: string; // of everything, the words included
  scenario: Partial<Scenario> & { lesson: Lesson };
  runs: Partial<Scenario>[]; // what each step runs
}

export interface LessonHooks {
  messages: Messages;
  run(): void;
  shown(): void; // another step, or none, is on show: knobs and picture follow
}

// LessonPart is what lesson.js brings.
export interface LessonPart {
  open(link: LessonLink): void;
  leave(): void;
  choose(): void; // the list of lessons
}

declare global {
  interface Window {
    burstscopeLessons?: (page: Page, hooks: LessonHooks, lessons: ShippedLesson[]) => LessonPart;
  }
}

export interface LessonGate {
  // apply shows the lesson the settings name, or leaves the one on show. It ends
  // when the scenario of the step is in the settings.
  apply(): Promise<void>;
}

export function startLessons(page: Page, hooks: LessonHooks): LessonGate {
  let part: Promise<LessonPart> | undefined;
  const load = (): Promise<LessonPart> => {
    part ??= fetchPart(page, hooks).catch((e: unknown) => {
      part = undefined;
      throw e;
    });
    return part;
  };
  const failed = (e: unknown): void =>
    hooks.messages.show(
      "lesson",
      { what: "The lessons could not be loaded:", where: `${e instanceof Error ? e.message : String(e)}.`, mend: "Everything else works." },
      { label: "Try again", run: () => void choose() },
    );
  const choose = async (): Promise<void> => {
    try {
      (await load()).choose();
    } catch (e) {
      failed(e);
    }
  };
  byId("lessons").addEventListener("click", () => void choose());
  return {
    apply: async () => {
      const { lesson } = page.settings;
      if (lesson.name === "") {
        if (part) (await part).leave();
        return;
      }
      try {
        (await load()).open(lesson);
      } catch (e) {
        page.settings.lesson = { ...NO_LESSON };
        failed(e);
      }
    },
  };
}

async function fetchPart(page: Page, hooks: LessonHooks): Promise<LessonPart> {
  const answer = await fetch(asset("lessons/index.json"));
  if (!answer.ok) throw new Error(`lessons/index.json: the server answered ${answer.status}`);
  const lessons = (await answer.json()) as ShippedLesson[];
  await loadScript("lesson.js", "lesson.css");
  if (!window.burstscopeLessons) throw new Error("lesson.js has unexpected contents");
  return window.burstscopeLessons(page, hooks, lessons);
}
