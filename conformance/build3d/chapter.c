/* SPDX-License-Identifier: MIT */
/* The chapter build3d: what its results look like, and which implementations there are. */
#include <dlfcn.h>
#include <string.h>

#include "build3d/build3d.h"
#include "oracle/build3d/oracle.h"

static const vx_fact_shape facts[] = {{"size", 3}, {"degenerate", 1}};

static const char *const solid_columns[] = {"x", "z", "min", "max", "area"};
static const char *const compact_columns[] = {"x",  "z",  "y",  "height", "area",
                                              "l0", "l1", "l2", "l3"};

static const vx_table_shape tables[] = {[VX_BUILD3D_SOLID] = {"solid", 5, solid_columns},
                                        [VX_BUILD3D_COMPACT] = {"compact", 9, compact_columns}};

const vx_result_shape vx_build3d_shape = {
    .facts = facts, .fact_count = 2, .tables = tables, .table_count = 2};

static const vx_implementation implementations[] = {
    {"ref", "the literal reference implementation", &vx_ref_build3d},
    {"fast", "the optimised implementation", &vx_fast_build3d},
    {"replay", "the oracle that takes every float step by MPFR", &vx_replay_build3d}};

static size_t step_count(const vx_input *input)
{
    return input->step_count;
}

static const char *step_name(const vx_input *input, size_t step)
{
    return vx_build3d_op_name(input->steps[step].op);
}

static const void *traced(const void *table)
{
    const vx_build3d_impl *impl = table;
    if (impl == &vx_ref_build3d) {
        return &vx_ref_build3d_traced;
    }
    return impl->set_trace != NULL ? impl : NULL;
}

static bool is_complete(const vx_build3d_impl *impl)
{
    return impl->open != NULL && impl->close != NULL && impl->info != NULL &&
           impl->rasterize != NULL && impl->add_spans != NULL && impl->height_grid != NULL &&
           impl->chunk != NULL && impl->low_hanging != NULL && impl->ledges != NULL &&
           impl->low_height != NULL && impl->compact != NULL && impl->erode != NULL &&
           impl->volume != NULL && impl->read_solid != NULL && impl->read_compact != NULL;
}

static const void *load(void *library, vx_problem *problem)
{
    void *symbol = dlsym(library, VX_BUILD3D_ENTRY);
    if (symbol == NULL) {
        (void)vx_problem_set(problem, "the library exports no function " VX_BUILD3D_ENTRY);
        return NULL;
    }
    /* POSIX lets dlsym return a function; ISO C has no cast for it. */
    vx_build3d_entry_fn *entry;
    memcpy(&entry, &symbol, sizeof entry);
    const vx_build3d_impl *impl = entry(VX_BUILD3D_ABI);
    if (impl == NULL) {
        (void)vx_problem_set(problem, "the library does not know build3d's ABI %u", VX_BUILD3D_ABI);
        return NULL;
    }
    if (impl->abi != VX_BUILD3D_ABI || impl->struct_size < sizeof *impl) {
        (void)vx_problem_set(problem,
                             "the library's table has ABI %u and %u bytes; ABI %u and %zu bytes "
                             "are needed",
                             impl->abi, impl->struct_size, VX_BUILD3D_ABI, sizeof *impl);
        return NULL;
    }
    if (impl->name == NULL || impl->description == NULL) {
        (void)vx_problem_set(problem, "the library's table has no name, or no description");
        return NULL;
    }
    if (!is_complete(impl)) {
        (void)vx_problem_set(problem, "a function other than set_trace is NULL in the table");
        return NULL;
    }
    return impl;
}

static const char *table_name(const void *table)
{
    const vx_build3d_impl *impl = table;
    return impl->name;
}

const vx_chapter vx_chapter_build3d = {
    .name = "build3d",
    .shape = &vx_build3d_shape,
    .read = vx_build3d_read,
    .input_free = vx_build3d_input_free,
    .write = vx_build3d_write,
    .step_count = step_count,
    .step_name = step_name,
    .implementations = implementations,
    .implementation_count = sizeof implementations / sizeof implementations[0],
    .traced = traced,
    .load = load,
    .table_name = table_name,
    .run = vx_build3d_run,
    .importer = &vx_build3d_importer,
    .draw = vx_build3d_draw,
    .audit = vx_build3d_audit,
    .audit_leaves = "what is closer than the bound",
    .summarize = vx_build3d_summarize,
    .families = vx_build3d_families,
    .family_count = &vx_build3d_family_count,
};
