"""The words of commit messages, by their part in a phrase. ``_`` stands for a blank.

A word that stands in none of these tables may limit what is said, so that a phrase with it isn't understood.
"""

from __future__ import annotations

import re


def any_of(words: str) -> str:
    """Make a pattern of one of ``words``, the longest first."""
    found = sorted({re.escape(word.replace("_", " ")) for word in words.split()}, key=len, reverse=True)
    return f"(?:{'|'.join(found)})"


def split_words(words: str) -> frozenset[str]:
    """Split a table of words."""
    return frozenset(words.split())


def some_of(words: str) -> str:
    """Make a pattern of any number of ``words``, each with a blank after it."""
    return f"(?:{any_of(words)} )*"


ADD = any_of("""
    add adds added introduce introduces introduced implement implements implemented create creates created expose
    exposes exposed define defines defined provide provides provided export exports exported
    """)
EXTRACT = any_of("extract extracts extracted factor_out factored_out pull_out pulled_out split_out")
REMOVE = any_of("remove removes removed delete deletes deleted drop drops dropped get_rid_of eliminate eliminates kill")
RAISE = any_of("""
    bump bumps bumped update updates updated upgrade upgrades upgraded up raise raises raised downgrade downgraded pin
    pins pinned lock use switch_to move_to require enforce
    """)
CHANGE = any_of("""
    update updates updated edit modify refresh change tweak improve improves regenerate sync fix fixes fixed clarify
    polish expand extend correct corrects clean_up reword re-word rephrase rewrite adjust simplify cleanup
    """)
MOVE = any_of("move moves moved relocate relocates")
RENAME = any_of("rename renames renamed")
REPLACE = any_of("replace replaces replaced swap")
ANY_EDIT = any_of("""
    add adds added update updates updated fix fixes fixed correct corrects corrected improve improves improved tweak
    change changed modify edit clarify clarified polish refresh extend expand simplify clean_up cleanup reword rewrite
    enable disable set use group allow configure include remove removes removed drop delete sync adjust
    """)
USE = any_of("use uses used prefer switch_to migrate_to")
DEPRECATE = any_of("deprecate deprecates deprecated")
DOCUMENT = any_of(
    "document documents documented describe describes described mention mentions clarify explain explains"
)

NOUNS = """
    a an the new missing optional initial basic public private async static global internal experimental default helper
    util utils utility unused old obsolete deprecated dead redundant unnecessary legacy stale outdated empty duplicate
    duplicated leftover extra optional support_for support_of support first-class option options parameter parameters
    param params method methods function functions class classes module modules helpers property properties attribute
    attributes flag flags argument arguments arg args field fields type types interface trait macro endpoint command
    setting settings config configuration constant constants rule file files script workflow variable variables variant
    variants enum struct decorator fixture getter setter alias exception error annotation hook hooks context_manager
    api keyword export exports import imports package header headers impl implementation overload re-export crate
    feature environment env event component code job usage_of usages_of uses_of use_of references_to reference_to
    call_to calls_to the_use_of export_of all its our my this some
    """
"""What may stand around a name and limits nothing: articles, and what kind of thing it is."""

DEFINING = split_words("""
    function functions method methods class classes helper helpers util utils interface trait enum struct macro getter
    setter endpoint endpoints
    """)
"""Nouns that say that a name is defined: to occur in code isn't enough."""

QUALIFYING = split_words("""
    a an the new missing initial basic public private async static global internal experimental default utility our its
    my this some
    """)
"""What may stand around such a noun without making it part of another one: "function parameter"."""

OF_NO_DEFINITION = split_words("""
    option options parameter parameters param params property properties attribute attributes flag flags argument
    arguments arg args field fields type types setting settings config configuration constant constants rule file files
    script workflow variable variables variant variants alias annotation keyword export exports import imports header
    headers environment env event job module modules package crate
    """)
"""Nouns of names that are there without a function or class of that name."""

OF_PACKAGES = """
    the our minimum required min dev dev-dependency devdependency dependency dependencies dep deps module crate action
    package plugin library github_action github_actions docker image build tool submodule version version_of of
    requirement requirements maven_plugin gradle_plugin lib npm_package wrapper pre-commit_hook hook
    """
AFTER_PACKAGES = any_of("""
    version action digest docker_tag monorepo dependency requirement package crate plugin lib library docker_digest
    """)
VAGUE = """
    all the some non-major minor patch major dev development direct transitive npm pip python go rust cargo maven
    gradle js node outdated vulnerable build test docs doc ci github gha our project and or & dependabot renovate
    production minimum versions_of version_of lint linting linter vendored external third-party project's of other
    typing remaining pinned mypy
    """
PACKAGES = any_of("""
    dep deps dependency dependencies devdependencies dev-dependencies packages lockfile lockfiles lock_file lock_files
    uv.lock uv_lock cargo.lock cargo_lock yarn.lock yarn_lock pnpm-lock pnpm_lock poetry.lock poetry_lock pdm.lock
    package-lock package-lock.json dev dev_environment requirements actions github_actions pre-commit precommit
    pre-commit_hooks pre-commit_config pre-commit_configuration pre-commit_versions pre-commit_modules
    pre-commit_dependencies pre-commit_plugins crates plugins modules hooks tool_versions ci_dependencies
    action_versions versions go.mod go.sum
    """)

TYPOS = any_of("""
    typo typos misspelling misspellings spelling spelling_mistake spelling_mistakes spelling_error spelling_errors
    grammar grammar_mistake grammar_mistakes grammar_error grammar_errors grammatical_error grammatical_errors
    grammar_issue grammar_issues grammatical_issue grammatical_issues spelling_issue spelling_issues
    typographical_error typographical_errors
    """)
FEW = "a an the some few more minor small several another various multiple one two and grammar spelling simple little"

LAYOUT = any_of("""
    gofmt gofumpt goimports rustfmt cargo_fmt prettier black isort clang-format formatting whitespace format
    indentation fix_formatting fix_indentation fix_whitespace fix_white_space fix_indent fix_trailing_whitespace
    format_code reformat format_the_code run_prettier run_black run_gofmt run_rustfmt run_cargo_fmt run_ruff_format
    ruff_format code_formatting apply_formatting run_formatter format_files run_gofumpt
    """)
FORMATTER = any_of(
    "gofmt gofumpt goimports black ruff prettier rustfmt isort clang-format spotless biome dprint cargo_fmt"
)
TEXTS = any_of("""
    doc docs documentation docstring docstrings comment comments readme readmes changelog change_log changelogs
    changelog_entry release_notes release_note news history jsdoc jsdocs javadoc javadocs wording api_docs api_doc
    code_comments inline_comments user_guide documentation_build docs_build docs_link docs_links documentation_links
    documentation_link broken_links broken_link links_in_docs readme_links changelog_links contributing_guide
    contributing_guidelines security_policy license copyright copyright_year copyright_years sponsors authors
    contributors migration_guide examples example code_examples docs_examples docs_wording doc_comments doc_comment
    """)
TESTS = any_of("""
    test tests test_case test_cases test_suite testing fixture fixtures unit_test unit_tests test_coverage
    regression_test regression_tests snapshot snapshots test_fixtures integration_tests integration_test e2e_tests
    test_names
    """)
PIPELINES = any_of("""
    ci workflow workflows github_action github_actions ci_workflow ci_workflows ci_config ci_configuration ci_settings
    pipeline pipelines dependabot dependabot_config dependabot_configuration renovate renovate_config codeowners
    github_workflow github_workflows ci_matrix test_matrix ci_build ci_pipeline issue_template issue_templates
    stale_workflow codeql codeql_workflow release_workflow issue_forms pull_request_template
    """)
AROUND = (
    "the some our api user inline github gha more missing unit failing flaky broken new additional a an few all minor "
    "problematic confusing misleading wrong incorrect outdated stale"
)

LANGUAGES = any_of("python pypy node node.js nodejs go golang rust java jdk msrv ruby php .net dotnet")
COMMON_NAMES = {"nodejs": "node", "node.js": "node", "golang": "go", "jdk": "java", "msrv": "rust", ".net": "dotnet"}

VAGUE_EDITS = any_of("""
    cleanup cleanups clean-up clean-ups clean_up tweak tweaks tweaking polish polishing refresh update updates edit
    edits fix fixes fixup fixups change changes improvement improvements improve adjustment adjustments wording
    formatting formatting_tweaks small_fixes minor_fixes minor_changes minor_tweaks minor_improvements small_changes
    small_tweaks small_improvements minor_updates minor_edits reword rewording readme_refresh
    """)
"""What a description of a commit whose type says its kind may be, without saying more than that."""

EMPTY = split_words("""
    a an the to of for in on with by from at as is are be it its and or not into via per this that these those which
    when where how what why some more new about after before all any up out so than then their there our your we you
    us another other also only if while between instead rather now no longer docs doc documentation tests test testing
    ci section page entry note notes info information wording text description descriptions details example examples
    case cases suite file files add update fix missing unused old obsolete unneeded unnecessary redundant support
    initial basic code
    """)
"""Words that carry no meaning of their own in a description."""

ACTIONS = any_of("""
    add adds added introduce implement create remove removes removed delete drop drops dropped rename move update
    updates updated bump upgrade fix fixes fixed document deprecate deprecates deprecated use replace test tests
    support refactor improve change correct release clean_up simplify format describe mention restore revert disable
    enable make extract
    """)
"""Words with which another clause begins."""

OF_CODE = any_of("""
    class function method decorator option error exception type interface trait enum struct macro validator filter
    command helper module attribute property parameter argument flag keyword constant fixture context_manager
    component hook plugin
    """)
"""What a word is that stands right before one of these: a name, though it isn't written as code."""
