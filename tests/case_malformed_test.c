/* SPDX-License-Identifier: MIT */
/* Cases that are wrong: each is refused, and the message names the place. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "program.h"

/* A case with every member and every step. */
static const char full[] =
    "{\"format\":\"voxcert/1\",\"name\":\"build3d/x\",\"chapter\":\"build3d\","
    "\"clauses\":[\"B1.1\",\"B1.2\"],\"note\":\"why\",\"flags\":[\"ruling\",\"fma\"],"
    "\"grid\":{\"origin\":[0,0.5,-1],\"cellSize\":1,\"cellHeight\":0.5,\"size\":[4,4,8]},\"steps\":"
    "["
    "{\"op\":\"rasterize\",\"vertices\":[0,0,0.25],\"indices\":[0,0,0],\"areas\":[63],"
    "\"slopeCosine\":0.5,\"mergeThreshold\":1},"
    "{\"op\":\"addSpans\",\"spans\":[[0,0,0,1,63],[1,0,0,1,0]],\"mergeThreshold\":2},"
    "{\"op\":\"heightGrid\",\"origin\":[0,0],\"spacing\":1,\"count\":[2,2],\"heights\":[0,1,2,3],"
    "\"slopeCosine\":-1,\"mergeThreshold\":0},"
    "{\"op\":\"chunk\",\"offset\":[0,-1,0],\"size\":[1,1,4],\"runs\":[[0,0,0,2,7]],"
    "\"materialAreas\":{\"7\":12,\"0\":1}},"
    "{\"op\":\"chunk\",\"offset\":[0,0,0],\"size\":[1,1,2],\"dense\":[1,0]},"
    "{\"op\":\"lowHanging\",\"climb\":4},{\"op\":\"ledges\",\"height\":10,\"climb\":4},"
    "{\"op\":\"lowHeight\",\"height\":10},{\"op\":\"compact\",\"height\":10,\"climb\":4},"
    "{\"op\":\"erode\",\"radius\":2},"
    "{\"op\":\"volume\",\"corners\":[[0,0],[4,0],[0,4]],\"minY\":\"-Infinity\",\"maxY\":2,\"area\":"
    "5}],"
    "\"expect\":{\"size\":[4,4,8],\"degenerate\":0,\"compact\":[[0,0,1,65535,63,0,63,1,2]]}}";

/* The same with bounds and an error. */
static const char bounded[] =
    "{\"format\":\"voxcert/1\",\"chapter\":\"build3d\",\"grid\":{\"bounds\":{\"min\":[0,0,0],"
    "\"max\":[1,1,1]},\"cellSize\":0.25,\"cellHeight\":1},\"steps\":[{\"op\":\"lowHeight\"}],"
    "\"expect\":{\"error\":[\"argument\",\"out_of_range\"],\"step\":-1}}";

static const char *const bases[] = {full, bounded};

/* Asserts that the line is no case and that the message starts like this. */
static void refuse(const char *line, size_t size, const char *start)
{
    vx_problem problem = {0};
    vx_case item;
    bool good = vx_case_read(line, size, &item, &problem);
    cr_assert_not(good, "%.*s", (int)size, line);
    cr_assert_eq(strncmp(problem.message, start, strlen(start)), 0, "%.*s: %s instead of %s…",
                 (int)size, line, problem.message, start);
    cr_assert(item.name == NULL && item.input == NULL && item.clauses == NULL,
              "nothing is left to free");
}

static json_t *load(const char *line)
{
    json_error_t error;
    json_t *json = json_loads(line, 0, &error);
    cr_assert_not_null(json, "%s", error.text);
    return json;
}

/* The JSON text of root; to be freed. */
static char *dump(const json_t *root)
{
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    cr_assert_not_null(text);
    return text;
}

/* Calls visit for each member and element below node, with its path. */
typedef void visitor(json_t *root, json_t *parent, const char *name, size_t index,
                     const char *path);

static void walk(json_t *root, json_t *node, const char *path, visitor *visit)
{
    for (size_t i = 0; json_is_array(node) && i < json_array_size(node); i++) {
        char below[128];
        (void)snprintf(below, sizeof below, "%s[%zu]", path, i);
        visit(root, node, NULL, i, below);
        walk(root, json_array_get(node, i), below, visit);
    }
    char *names[32]; /* copies, because visit may take a member out and put it back */
    size_t count = 0;
    for (void *at = json_object_iter(node); at != NULL; at = json_object_iter_next(node, at)) {
        names[count++] = vx_must_strdup(json_object_iter_key(at));
    }
    for (size_t i = 0; i < count; i++) {
        char below[128];
        (void)snprintf(below, sizeof below, "%s.%s", path, names[i]);
        visit(root, node, names[i], 0, below);
        walk(root, json_object_get(node, names[i]), below, visit);
        free(names[i]);
    }
}

static void walk_bases(visitor *visit)
{
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        json_t *root = load(bases[i]);
        walk(root, root, "$", visit);
        char *text = dump(root);
        vx_problem problem = {0};
        vx_case item;
        cr_assert(vx_case_read(text, strlen(text), &item, &problem), "%s", problem.message);
        vx_case_free(&item);
        free(text);
        json_decref(root);
    }
}

static void put(json_t *parent, const char *name, size_t index, json_t *value)
{
    cr_assert_eq(name != NULL ? json_object_set(parent, name, value)
                              : json_array_set(parent, index, value),
                 0);
}

static void retype(json_t *root, json_t *parent, const char *name, size_t index, const char *path)
{
    json_t *value = name != NULL ? json_object_get(parent, name) : json_array_get(parent, index);
    json_t *others[] = {json_null(), json_true(), json_false(), json_pack("{s:i}", "surplus", 1),
                        json_pack("[[]]")};
    json_incref(value);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        put(parent, name, index, others[i]);
        char *text = dump(root);
        refuse(text, strlen(text), path);
        free(text);
        json_decref(others[i]);
    }
    put(parent, name, index, value);
    json_decref(value);
}

Test(case_malformed_test, every_value_of_another_type)
{
    walk_bases(retype);
}

static bool is_optional(const char *path)
{
    static const char *const optional[] = {
        ".name",        ".clauses",        ".note",  ".flags",  ".expect",
        ".areas",       ".height",         ".climb", ".radius", ".materialAreas",
        ".slopeCosine", ".mergeThreshold", ".7",     ".0"};
    const char *last = strrchr(path, '.');
    for (size_t i = 0; i < sizeof optional / sizeof optional[0]; i++) {
        if (strcmp(last, optional[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void drop(json_t *root, json_t *parent, const char *name, size_t index, const char *path)
{
    (void)index;
    if (name == NULL) {
        return;
    }
    json_t *value = json_incref(json_object_get(parent, name));
    cr_assert_eq(json_object_del(parent, name), 0);
    char *text = dump(root);
    if (is_optional(path)) {
        vx_problem problem = {0};
        vx_case item;
        cr_assert(vx_case_read(text, strlen(text), &item, &problem), "%s: %s", path,
                  problem.message);
        vx_case_free(&item);
    } else if (strcmp(name, "runs") == 0 || strcmp(name, "dense") == 0) {
        refuse(text, strlen(text), "$.steps[");
    } else if (strcmp(name, "bounds") == 0) {
        refuse(text, strlen(text), "$.grid.origin: is missing");
    } else if (strcmp(name, "compact") == 0) {
        refuse(text, strlen(text), "$.expect.solid: is missing");
    } else if (strcmp(name, "error") == 0) {
        refuse(text, strlen(text), "$.expect.step: no such member");
    } else {
        char expected[160];
        (void)snprintf(expected, sizeof expected, "%s: is missing", path);
        refuse(text, strlen(text), expected);
    }
    free(text);
    cr_assert_eq(json_object_set_new(parent, name, value), 0);
}

Test(case_malformed_test, every_member_missing)
{
    walk_bases(drop);
}

/* Adds "surplus" to an object, then once more under each name that is there already. */
static void add(json_t *root, json_t *parent, const char *name, size_t index, const char *path)
{
    (void)index;
    if (name == NULL) {
        return;
    }
    cr_assert_eq(json_object_set_new(parent, "surplus", json_integer(1)), 0);
    char *text = dump(root);
    char expected[160];
    (void)snprintf(expected, sizeof expected, "%.*s.surplus: ", (int)(strrchr(path, '.') - path),
                   path);
    refuse(text, strlen(text), expected);

    vx_text twice = {0};
    char *surplus = strstr(text, "\"surplus\":");
    vx_text_add_bytes(&twice, text, (size_t)(surplus - text));
    vx_text_format(&twice, "\"%s\":%s", name, surplus + strlen("\"surplus\":"));
    refuse(twice.bytes, twice.size, "$: not JSON: duplicate object key");
    vx_text_free(&twice);
    free(text);
    cr_assert_eq(json_object_del(parent, "surplus"), 0);
}

Test(case_malformed_test, every_object_with_a_surplus_or_a_double_member)
{
    walk_bases(add);
}

Test(case_malformed_test, every_truncation)
{
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        for (size_t size = 0; size < strlen(bases[i]); size++) {
            /* A copy of just that size, so that a read past its end is seen. */
            char *part = malloc(size > 0 ? size : 1);
            cr_assert_not_null(part);
            memcpy(part, bases[i], size);
            refuse(part, size, "$: not JSON");
            free(part);
        }
    }
}

Test(case_malformed_test, every_byte_replaced)
{
    static const char others[] = "\0\x01\"\\{}[],:x0-.\x80\xff ";
    for (size_t at = 0; at < strlen(full); at++) {
        for (size_t k = 0; k < sizeof others - 1; k++) {
            char *text = vx_must_strdup(full);
            text[at] = others[k];
            vx_problem problem = {0};
            vx_case item;
            if (vx_case_read(text, strlen(full), &item, &problem)) {
                vx_case_free(&item);
            } else {
                cr_assert_eq(problem.message[0], '$', "byte %zu: %s", at, problem.message);
            }
            free(text);
        }
    }
}

/* What stands in full, what stands there instead, and how the message starts. */
static const struct {
    const char *old, *new, *message;
} replaced[] = {
    /* the case */
    {"voxcert/1", "voxcert/2", "$.format: \"voxcert/1\" is needed, not \"voxcert/2\""},
    {"voxcert/1", "", "$.format: \"voxcert/1\" is needed, not \"\""},
    {"\"chapter\":\"build3d\"", "\"chapter\":\"coverage\"", "$.chapter: the name of a chapter of"},
    {"\"chapter\":\"build3d\"", "\"chapter\":\"Build3d\"", "$.chapter: the name of a chapter of"},
    {"\"build3d/x\"", "\"\"",
     "$.name: a string that is not empty, without control characters is needed, not \"\""},
    {"\"build3d/x\"", "\"a\\nb\"", "$.name: a string that is not empty, without control"},
    {"\"build3d/x\"", "\"\\u001b[2J\"", "$.name: a string that is not empty, without control"},
    {"\"build3d/x\"", "\"\\u007f\"", "$.name: a string that is not empty, without control"},
    {"\"build3d/x\"", "7",
     "$.name: a string that is not empty, without control characters is needed, not 7"},
    {"\"why\"", "[\"why\"]", "$.note: a string is needed, not an array of 1"},
    {"\"B1.2\"", "\"B1.1\"", "$.clauses[1]: the same as element 0"},
    {"\"B1.2\"", "\"\"",
     "$.clauses[1]: a string that is not empty, without control characters is needed"},
    {"\"fma\"", "\"new\"", "$.flags[1]: a flag of docs/PROTOCOL.md is needed, not \"new\""},
    {"\"fma\"", "\"ruling\"", "$.flags[1]: the same as element 0"},
    {"\"fma\"", "\"FMA\"", "$.flags[1]: a flag of docs/PROTOCOL.md is needed, not \"FMA\""},
    /* the grid */
    {"[0,0.5,-1]", "[0,0.5]", "$.grid.origin: an array of 3 is needed, not an array of 2"},
    {"[0,0.5,-1]", "[0,0.5,-1,0]", "$.grid.origin: an array of 3 is needed, not an array of 4"},
    {"[0,0.5,-1]", "[0,\"nan\",-1]", "$.grid.origin[1]: a number, \"NaN\", \"Infinity\" or"},
    {"[0,0.5,-1]", "[0,\"0.5\",-1]", "$.grid.origin[1]: a number, \"NaN\", \"Infinity\" or"},
    {"[0,0.5,-1]", "[0,0.5,1e999]", "$: not JSON: real number overflow"},
    {"\"cellSize\":1", "\"cellSize\":\"1\"", "$.grid.cellSize: a number, \"NaN\""},
    {"\"cellSize\":1", "\"cellSize\":\"+Infinity\"", "$.grid.cellSize: a number, \"NaN\""},
    {"\"cellSize\":1", "\"cellsize\":1", "$.grid.cellsize: no such member is known here"},
    {"[4,4,8]},\"steps", "[4,4,8.0]},\"steps", "$.grid.size[2]: an integer from -9007199254740992"},
    {"[4,4,8]},\"steps", "[4,4,8e0]},\"steps", "$.grid.size[2]: an integer from -9007199254740992"},
    {"[4,4,8]},\"steps", "[4,4,\"8\"]},\"steps", "$.grid.size[2]: an integer from"},
    {"[4,4,8]},\"steps", "[4,4,-0]},\"steps", "$.grid.size[2]: an integer from"},
    {"[4,4,8]},\"steps", "[4,4]},\"steps", "$.grid.size: an array of 3 is needed"},
    {"[4,4,8]},\"steps", "[4,4,9007199254740993]},\"steps", "$.grid.size[2]: an integer from"},
    {"[4,4,8]},\"steps", "[-9007199254740993,4,8]},\"steps", "$.grid.size[0]: an integer from"},
    {"[4,4,8]},\"steps", "[1000000000000000000000,4,8]},\"steps",
     "$.grid.size[0]: an integer from"},
    {"\"grid\":{", "\"grid\":{\"bounds\":{\"min\":[0,0,0],\"max\":[1,1,1]},",
     "$.grid.origin: no such member is known here"},
    {"\"grid\":{", "\"grid\":{\"bounds\":{\"min\":[0,0,0]},", "$.grid.bounds.max: is missing"},
    {"\"grid\":{", "\"grid\":{\"bounds\":[],", "$.grid.bounds: an object is needed"},
    /* the steps */
    {"\"addSpans\"", "\"flood\"",
     "$.steps[1].op: the name of a step of build3d is needed, not \"flo"},
    {"\"addSpans\"", "\"AddSpans\"",
     "$.steps[1].op: the name of a step of build3d (the nearest is addSpans)"},
    {"\"addSpans\"", "\"\"", "$.steps[1].op: the name of a step of build3d is needed, not \"\""},
    {"\"addSpans\"", "1", "$.steps[1].op: the name of a step of build3d is needed, not 1"},
    {"\"addSpans\",", "\"addSpans\",\"climb\":4,",
     "$.steps[1].climb: no such member is known here"},
    {"\"vertices\":[0,0,0.25]", "\"vertices\":[[0,0,0.25]]", "$.steps[0].vertices[0]: a number"},
    {"\"vertices\":[0,0,0.25]", "\"vertices\":[0,\"Nan\"]", "$.steps[0].vertices[1]: a number"},
    {"\"vertices\":[0,0,0.25]", "\"vertices\":[0,-1e999]", "$: not JSON: real number overflow"},
    {"\"indices\":[0,0,0]", "\"indices\":[0,0.0,0]", "$.steps[0].indices[1]: an integer from"},
    {"\"indices\":[0,0,0]", "\"indices\":[0,\"NaN\",0]", "$.steps[0].indices[1]: an integer from"},
    {"\"indices\":[0,0,0]", "\"indices\":[0,0,1e2]", "$.steps[0].indices[2]: an integer from"},
    {"\"areas\":[63]", "\"areas\":63", "$.steps[0].areas: an array is needed, not 63"},
    {"\"areas\":[63]", "\"areas\":[63.5]", "$.steps[0].areas[0]: an integer from"},
    {"\"slopeCosine\":0.5", "\"slopeCosine\":\"inf\"", "$.steps[0].slopeCosine: a number"},
    {"\"mergeThreshold\":1}", "\"mergeThreshold\":1.0}", "$.steps[0].mergeThreshold: an integer"},
    {"\"mergeThreshold\":1}", "\"mergeThreshold\":\"NaN\"}",
     "$.steps[0].mergeThreshold: an integer"},
    {"[1,0,0,1,0]", "[1,0,0,1]", "$.steps[1].spans[1]: an array of 5 is needed, not an array of 4"},
    {"[1,0,0,1,0]", "[1,0,0,1,0,0]", "$.steps[1].spans[1]: an array of 5 is needed"},
    {"[1,0,0,1,0]", "{}", "$.steps[1].spans[1]: an array is needed, not an object"},
    {"[1,0,0,1,0]", "[1,0,0,1,0.5]", "$.steps[1].spans[1][4]: an integer from"},
    {"\"spacing\":1", "\"spacing\":\"one\"", "$.steps[2].spacing: a number"},
    {"\"count\":[2,2]", "\"count\":[2,2,2]", "$.steps[2].count: an array of 2 is needed"},
    {"\"count\":[2,2]", "\"count\":[2,2.5]", "$.steps[2].count[1]: an integer from"},
    {"\"origin\":[0,0],", "\"origin\":[0],", "$.steps[2].origin: an array of 2 is needed"},
    {"[0,-1,0]", "[0,-1.5,0]", "$.steps[3].offset[1]: an integer from"},
    {"\"runs\":[", "\"dense\":[],\"runs\":[", "$.steps[3]: both runs and dense are given"},
    {"\"runs\":", "\"run\":", "$.steps[3].run: no such member is known here"},
    {"[0,0,0,2,7]", "[0,0,0,2]", "$.steps[3].runs[0]: an array of 5 is needed"},
    {"\"7\":12", "\"07\":12", "$.steps[3].materialAreas.07: the name must be an integer"},
    {"\"7\":12", "\"\":12", "$.steps[3].materialAreas[\"\"]: the name must be an integer"},
    {"\"7\":12", "\"-\":12", "$.steps[3].materialAreas[\"-\"]: the name must be an integer"},
    {"\"7\":12", "\"-0\":12", "$.steps[3].materialAreas[\"-0\"]: the name must be an integer"},
    {"\"7\":12", "\"-07\":12", "$.steps[3].materialAreas[\"-07\"]: the name must be an integer"},
    {"\"7\":12", "\"+7\":12", "$.steps[3].materialAreas[\"+7\"]: the name must be an integer"},
    {"\"7\":12", "\" 7\":12", "$.steps[3].materialAreas[\" 7\"]: the name must be an integer"},
    {"\"7\":12", "\"7 \":12", "$.steps[3].materialAreas[\"7 \"]: the name must be an integer"},
    {"\"7\":12", "\"7.0\":12", "$.steps[3].materialAreas[\"7.0\"]: the name must be an integer"},
    {"\"7\":12", "\"1e1\":12", "$.steps[3].materialAreas.1e1: the name must be an integer"},
    {"\"7\":12", "\"abc\":12", "$.steps[3].materialAreas.abc: the name must be an integer"},
    {"\"7\":12", "\"9007199254740993\":12", "$.steps[3].materialAreas.9007199254740993: the name"},
    {"\"7\":12", "\"12345678901234567\":12",
     "$.steps[3].materialAreas.12345678901234567: the name"},
    {"\"7\":12", "\"7\":12.0", "$.steps[3].materialAreas.7: an integer from"},
    {"\"7\":12", "\"7\":\"12\"", "$.steps[3].materialAreas.7: an integer from"},
    {"\"7\":12", "\"7\":1,\"7\":2", "$: not JSON: duplicate object key"},
    {"{\"7\":12,\"0\":1}", "[12]", "$.steps[3].materialAreas: an object is needed"},
    {"\"radius\":2", "\"radius\":\"2\"", "$.steps[9].radius: an integer from"},
    {"\"radius\":2", "\"radius\":2.0", "$.steps[9].radius: an integer from"},
    {"[4,0]", "[4]", "$.steps[10].corners[1]: an array of 2 is needed, not an array of 1"},
    {"[4,0]", "[4,0,0]", "$.steps[10].corners[1]: an array of 2 is needed, not an array of 3"},
    {"[4,0]", "4", "$.steps[10].corners[1]: an array is needed, not 4"},
    {"[4,0]", "[4,\"x\"]", "$.steps[10].corners[1][1]: a number"},
    {"\"-Infinity\"", "\"- Infinity\"", "$.steps[10].minY: a number"},
    {"\"area\":5", "\"area\":\"Infinity\"", "$.steps[10].area: an integer from"},
    /* the order of the steps */
    {"{\"op\":\"lowHanging\",\"climb\":4}", "{\"op\":\"compact\"}",
     "$.steps[6]: ledges works on the solid heightfield: it must stand before the compact step"},
    {"{\"op\":\"lowHeight\",\"height\":10}", "{\"op\":\"compact\"}",
     "$.steps[8]: compact may stand only once"},
    {"{\"op\":\"lowHanging\",\"climb\":4}", "{\"op\":\"erode\"}",
     "$.steps[5]: erode works on the compact heightfield: it must stand behind a compact step"},
    {"\"op\":\"compact\",", "\"op\":\"ledges\",",
     "$.steps[9]: erode works on the compact heightfield: it must stand behind a compact step"},
    {"{\"op\":\"erode\",\"radius\":2}", "{\"op\":\"lowHeight\"}",
     "$.steps[9]: lowHeight works on the solid heightfield"},
    {"{\"op\":\"erode\",\"radius\":2}", "{\"op\":\"compact\"}",
     "$.steps[9]: compact may stand only once"},
    /* the expected answer */
    {"\"degenerate\":0", "\"degenerate\":-1", "$.expect.degenerate: an integer from 0 to"},
    {"\"degenerate\":0", "\"degenerate\":0.0", "$.expect.degenerate: an integer from 0 to"},
    {"\"compact\":[[", "\"cells\":[[", "$.expect.cells: no such member is known here"},
    {"\"compact\":[[", "\"solid\":[],\"compact\":[[",
     "$.expect.compact: rows of two kinds are given"},
    {"\"compact\":[[", "\"solid\":[[",
     "$.expect.solid[0]: an array of 5 is needed, not an array of 9"},
    {"65535,63,", "65535,63,0,",
     "$.expect.compact[0]: an array of 9 is needed, not an array of 10"},
    {"65535,63,", "65535,63.0,", "$.expect.compact[0][4]: an integer from -2147483648 to"},
    {"65535,63,", "65535,2147483648,", "$.expect.compact[0][4]: an integer from -2147483648 to"},
    {"\"size\":[4,4,8],\"d", "\"size\":[4,4],\"d", "$.expect.size: an array of 3 is needed"},
    {"{\"size\":[4,4,8],\"d", "{\"error\":\"argument\",\"step\":11,\"x", "$.expect.x"},
};

Test(case_malformed_test, by_hand)
{
    for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++) {
        const char *place = strstr(full, replaced[i].old);
        cr_assert_not_null(place, "row %zu: %s", i, replaced[i].old);
        vx_text line = {0};
        vx_text_add_bytes(&line, full, (size_t)(place - full));
        vx_text_add(&line, replaced[i].new);
        vx_text_add(&line, place + strlen(replaced[i].old));
        refuse(line.bytes, line.size, replaced[i].message);
        vx_text_free(&line);
    }
}

#define START "{\"format\":\"voxcert/1\",\"chapter\":\"build3d\","
#define GRID "\"grid\":{\"origin\":[0,0,0],\"cellSize\":1,\"cellHeight\":1,\"size\":[4,4,8]}"

Test(case_malformed_test, whole_lines)
{
    static const struct {
        const char *line, *message;
    } table[] = {
        {"null", "$: an object is needed, not null"},
        {"7", "$: an object is needed, not 7"},
        {"\"case\"", "$: an object is needed, not \"case\""},
        {"[]", "$: an object is needed, not an array of 0"},
        {"{}", "$.format: is missing"},
        {"{\"format\":\"voxcert/1\"}", "$.chapter: is missing"},
        {START "\"steps\":[]}", "$.grid: is missing"},
        {START GRID "}", "$.steps: is missing"},
        {START GRID ",\"steps\":{}}", "$.steps: an array is needed, not an object"},
        {START GRID ",\"steps\":[[]]}", "$.steps[0]: an object is needed, not an array of 0"},
        {START GRID ",\"steps\":[{}]}", "$.steps[0].op: is missing"},
        {START GRID ",\"steps\":[{\"op\":\"chunk\",\"offset\":[0,0,0],\"size\":[1,1,1]}]}",
         "$.steps[0].runs: is missing"},
        {START GRID ",\"steps\":[],\"expect\":{\"error\":\"argument\",\"step\":0}}",
         "$.expect.step: 0, but the case has 0 steps"},
        {START GRID ",\"steps\":[{\"op\":\"erode\"}]}", "$.steps[0]: erode works on the compact"},
        {START GRID ",\"steps\":[],\"a\\u001b[2Jb\":1}", "$[\"a\\u001b[2Jb\"]: no such member"},
        {"\xef\xbb\xbf" START GRID ",\"steps\":[]}", "$: not JSON"},
        {START GRID ",\"steps\":[]}{}", "$: not JSON: end of file expected"},
        {START GRID ",\"note\":\"\\ud800\",\"steps\":[]}", "$: not JSON: invalid Unicode"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        refuse(table[i].line, strlen(table[i].line), table[i].message);
    }
    vx_problem problem = {0};
    vx_case item;
    cr_assert_not(vx_case_read(full, VX_LINE_BYTES_MAX + 1, &item, &problem));
    cr_assert_str_eq(problem.message,
                     "$: a line of 134217729 bytes; at most 134217728 are allowed");
}

/* Each bounded, so that no line makes the reader slow. */
Test(case_malformed_test, very_long_parts)
{
    enum { COUNT = 1000000 };
    vx_text line = {0};
    vx_text_add(&line, START GRID ",\"steps\":[],\"clauses\":[\"x\"");
    for (int i = 0; i < COUNT; i++) {
        vx_text_format(&line, ",\"%d\"", i);
    }
    vx_text_add(&line, "]}");
    refuse(line.bytes, line.size, "$.clauses: 1000001 elements; at most 256 are allowed");
    vx_text_clear(&line);
    vx_text_add(&line, START "\"grid\":{\"cellSize\":");
    for (int i = 0; i < COUNT; i++) {
        vx_text_add(&line, "123456789");
    }
    vx_text_add(&line, "}}");
    refuse(line.bytes, line.size, "$: not JSON: real number overflow");
    vx_text_clear(&line);
    vx_text_add(&line, START GRID ",\"steps\":[],\"");
    for (int i = 0; i < COUNT; i++) {
        vx_text_add(&line, "name ");
    }
    vx_text_add(&line, "\":1}");
    refuse(line.bytes, line.size, "$[\"name name name");
    vx_text_free(&line);
}

Test(case_malformed_test, ten_thousand_brackets)
{
    enum { DEPTH = 10000 };
    vx_text line = {0};
    vx_text_add(&line, START GRID ",\"steps\":");
    for (int i = 0; i < DEPTH; i++) {
        vx_text_add(&line, "[");
    }
    refuse(line.bytes, line.size, "$: nested deeper than 16 at column ");
    vx_text_free(&line);
}
