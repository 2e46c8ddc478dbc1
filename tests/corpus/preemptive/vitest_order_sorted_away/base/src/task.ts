export interface Task {
  id: string;
  needs?: string[];
  urgency?: number;
}

/** Whether everything is done that a task needs. */
export function ready(task: Task, done: string[]): boolean {
  return (task.needs ?? []).every((id) => done.includes(id));
}

/** The more urgent first, then by name. */
export function compare(a: Task, b: Task): number {
  return (b.urgency ?? 0) - (a.urgency ?? 0) || a.id.localeCompare(b.id);
}
